// Runs one seed of faults: a ledger writes through a proxy with faults, and is closed and opened again in between. In
// the end all records that it accepted are on the chain exactly once, and the index equals a new one.
import { cp, rm } from 'node:fs/promises';
import { expect } from 'chai';
import { createRandom } from '../../bench/random.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { createTenant } from '../../host/tenants.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { deployOn, type TestNetwork, toNetwork } from './chainKinds.ts';
import { type ExternalNode, QUICK_NODE, startNode } from './externalNode.ts';
import { createFaultProxy, type FaultProxy } from './faultProxy.ts';
import { dumpDirectory } from './indexDump.ts';
import { aCreation, anEvent, eventOf } from './records.ts';
import { startStubbornly } from './stubbornStart.ts';
import { createTemporaryDirectory, openTestLedger } from './testLedger.ts';
import { until } from './until.ts';

/** A node with a ledger; every run begins with its state. */
interface FaultBench {
  readonly node: ExternalNode;
  readonly template: string;
  readonly tenantIdentity: string;
  snapshot: string;
  close(): Promise<void>;
}

/** Timeout of the first attempt of a start. */
const TIMEOUT_MS = 100;
const FAULT_RATE_MAX = 0.35;
const MINE_MS = 25;
/** More requests than a wave of records needs. */
const WAVE_REQUESTS = 40;
/** Timeout of a node without faults, beside the other seeds on a machine of any speed. */
const CHECK_TIMEOUT_MS = 60_000;
/** A record may need many attempts, and other seeds run at the same time. */
const COMMIT_MS_MAX = 240_000;

const toFaultless = (node: ExternalNode) => ({ ...toNetwork(node.url), timeoutMs: CHECK_TIMEOUT_MS });

/** Starts a node and puts a ledger with one tenant on it. */
const openFaultBench = async (): Promise<FaultBench> => {
  const node = await startNode(QUICK_NODE);
  const directory = await createTemporaryDirectory();
  const network = toFaultless(node);
  await deployOn(node, directory.path, network);
  const ledger = await openTestLedger(directory.path, { network });
  const { identity } = await createTenant(ledger, { name: 'alpha' }, Date.now());
  await ledger.close();
  return {
    node,
    template: directory.path,
    tenantIdentity: identity,
    snapshot: (await node.request('evm_snapshot', [])) as string,
    close: async () => {
      await node.kill();
      await directory.remove();
    },
  };
};

interface FaultRun {
  readonly bench: FaultBench;
  readonly dataDir: string;
  readonly network: TestNetwork;
  readonly proxy: FaultProxy;
  readonly random: () => number;
  readonly answers: Map<string, Commitment>;
}

const openThroughFaults = ({ dataDir, network, proxy }: FaultRun): Promise<Ledger> =>
  startStubbornly(proxy, (timeoutMs) =>
    openTestLedger(dataDir, { network: { ...network, timeoutMs }, limits: { commitWaitMs: COMMIT_MS_MAX } }),
  );

const toRecords = (random: () => number): LedgerRecord[] => {
  const records: LedgerRecord[] = [];
  for (const asset of [1, 2]) {
    records.push(aCreation({ identity: eventOf(asset, 0) }));
    const events = 1 + Math.floor(random() * 3);
    for (let event = 1; event <= events; event += 1) {
      records.push(anEvent({ identity: eventOf(asset, event), event_attributes: { note: String(event) } }));
    }
  }
  return records;
};

const countRequests = ({ counts }: FaultProxy): number => [...counts.values()].reduce((sum, times) => sum + times, 0);

// Writes in two waves, with a restart in between that may interrupt the first.
const write = async (run: FaultRun, records: readonly LedgerRecord[]): Promise<void> => {
  const { random, answers, bench, proxy } = run;
  const middle = Math.floor(records.length * random());
  for (const wave of [records.slice(0, middle), records.slice(middle)]) {
    const ledger = await openThroughFaults(run);
    const answering = wave.map(async (record) => {
      answers.set(record.identity, await ledger.writer.append(bench.tenantIdentity, record));
    });
    const enough = countRequests(proxy) + random() * WAVE_REQUESTS;
    if (random() < 0.5) await Promise.all(answering);
    else await until(() => countRequests(proxy) >= enough);
    await ledger.close();
    await Promise.all(answering);
  }
};

const isCommitted = async (ledger: Ledger, { tenantIdentity }: FaultBench, record: LedgerRecord): Promise<boolean> => {
  const [, asset, , event] = record.identity.split('/');
  const found = await ledger.view.readEvent(tenantIdentity, asset!, event!);
  expect(found?.confirmation_status, record.identity).to.be.oneOf(['PENDING', 'CONFIRMED']);
  return found?.confirmation_status === 'CONFIRMED';
};

const waitUntilCommitted = async (run: FaultRun, ledger: Ledger, records: readonly LedgerRecord[]): Promise<void> => {
  for (const record of records)
    await until(
      () => isCommitted(ledger, run.bench, record),
      () => record.identity,
      COMMIT_MS_MAX,
    );
};

// Asserts that every record exists once, in the order of its asset, and that the answers were correct.
const checkChain = async ({ answers }: FaultRun, ledger: Ledger, records: readonly LedgerRecord[]): Promise<void> => {
  const { number: toBlock } = await ledger.chain.fetchFinalHead();
  const logs = await ledger.chain.fetchRecordLogs({ address: ledger.contract, fromBlock: 0, toBlock });
  const keys = records.map(({ identity }) => toHex(toKey(identity)));
  const mine = logs.filter(({ recordKey }) => keys.includes(recordKey));
  expect(mine.map(({ recordKey }) => recordKey).sort()).to.deep.equal([...keys].sort());
  for (const asset of [1, 2]) {
    const wanted = records.filter(({ identity }) => identity.startsWith(eventOf(asset, 0).slice(0, 43)));
    const stream = mine.filter(({ recordKey }) => wanted.some(({ identity }) => toHex(toKey(identity)) === recordKey));
    const expected = wanted.map(({ identity }) => toHex(toKey(identity)));
    expect(stream.map(({ recordKey }) => recordKey)).to.deep.equal(expected);
  }
  for (const [identity, { confirmation_status, block_number, transaction_id }] of answers) {
    expect(confirmation_status, identity).to.be.oneOf(['CONFIRMED', 'PENDING']);
    if (confirmation_status === 'PENDING') continue;
    const log = mine.find(({ recordKey }) => recordKey === toHex(toKey(identity)));
    expect({ block_number, transaction_id }, identity).to.deep.equal({
      block_number: log?.blockNumber,
      transaction_id: log?.transactionHash,
    });
  }
};

// Only the cursor may differ, because blocks were mined in the meantime.
const withoutCursor = (rows: Map<string, string>): [string, string][] =>
  [...rows].filter(([, row]) => !row.includes('layoutVersion'));

// Without the proxy, so that a missing record is a fault of the ledger.
const commitAndCheck = async (run: FaultRun, network: TestNetwork, records: readonly LedgerRecord[]): Promise<void> => {
  const ledger = await openTestLedger(run.dataDir, { network });
  try {
    await waitUntilCommitted(run, ledger, records);
    await checkChain(run, ledger, records);
  } finally {
    await ledger.close();
  }
  const grown = await dumpDirectory(run.dataDir);
  await rm(dataPaths(run.dataDir).index, { recursive: true });
  await (await openTestLedger(run.dataDir, { network })).close();
  expect(withoutCursor(await dumpDirectory(run.dataDir))).to.deep.equal(withoutCursor(grown));
};

const startMining = (node: ExternalNode, confirmations: number): (() => void) => {
  if (confirmations === 1) return () => undefined;
  const timer = setInterval(() => void node.request('evm_mine', []).catch(() => undefined), MINE_MS);
  return () => clearInterval(timer);
};

// Runs one seed and returns the proxy's faults. Rejects when a record was lost, duplicated or reordered.
const runFaults = async (bench: FaultBench, seed: number): Promise<FaultProxy['counts']> => {
  const random = createRandom(seed);
  for (let warm = 0; warm < 5; warm += 1) random();
  const { node } = bench;
  await node.request('evm_revert', [bench.snapshot]);
  bench.snapshot = (await node.request('evm_snapshot', [])) as string;
  const directory = await createTemporaryDirectory();
  await cp(bench.template, directory.path, { recursive: true });
  const rate = FAULT_RATE_MAX * random();
  const proxy = await createFaultProxy({ target: node.url, random, rate, timeoutMs: TIMEOUT_MS });
  const confirmations = [1, 1, 2, 4][Math.floor(random() * 4)]!;
  const network = { ...toNetwork(proxy.url), confirmations };
  const run: FaultRun = { bench, dataDir: directory.path, network, proxy, random, answers: new Map() };
  const stopMining = startMining(node, confirmations);
  try {
    const records = toRecords(random);
    await write(run, records);
    await commitAndCheck(run, { ...toFaultless(node), confirmations }, records);
  } finally {
    stopMining();
    await proxy.close();
    await directory.remove();
  }
  return proxy.counts;
};

/** Seeds that run at the same time, each on its own node; most of a run is waiting. */
const LANES = 12;

/** Runs seeds, and returns the failures and the proxies' faults. */
export const runSeeds = async (
  first: number,
  count: number,
  onDone: (done: number) => void = () => undefined,
): Promise<{ failures: { seed: number; error: unknown }[]; totals: Map<string, number> }> => {
  const failures: { seed: number; error: unknown }[] = [];
  const totals = new Map<string, number>();
  let next = 0;
  let done = 0;
  const runLane = async (): Promise<void> => {
    const bench = await openFaultBench();
    while (next < count) {
      const seed = first + next++;
      try {
        for (const [fault, times] of await runFaults(bench, seed)) totals.set(fault, (totals.get(fault) ?? 0) + times);
      } catch (error) {
        failures.push({ seed, error });
      }
      done += 1;
      onDone(done);
    }
    await bench.close();
  };
  await Promise.all(Array.from({ length: Math.min(LANES, count) }, runLane));
  return { failures, totals };
};
