// Runs on a simulated network of nodes outside the server.
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import { openKeyring } from '../../../host/keyring.ts';
import type { LedgerOptions } from '../../../host/ledgerOptions.ts';
import { deployNetworkLedger } from '../../../host/networkLedger.ts';
import { toKey } from '../../../ledger/identity.ts';
import { createRpcAnswers } from '../chain/rpcAnswers.ts';
import { wait } from '../clients/exchange.ts';
import { setFetch } from '../edges/fetch.ts';
import type { DrawContext } from '../network/faultKind.ts';
import { cloneNetwork, createNetwork, type SimulatedNetwork } from '../network/network.ts';
import { applyNetworkFault, drawNetworkFault, NETWORK_FAULTS } from '../network/networkFaults.ts';
import {
  describeTransaction,
  findUnderpricedNonce,
  readFinalBlocks,
  readFinalLogs,
  readUndone,
  readWaiting,
} from '../network/networkReads.ts';
import { drawNetworkScenario } from '../network/networkScenarios.ts';
import { fund, isFunding } from '../network/thirdParty.ts';
import type { Plan } from '../plan/plan.ts';
import { DATA_DIR } from '../server/settings.ts';
import { createTemplate, type LedgerTemplate } from '../server/template.ts';
import { readActors } from '../thirdParties/actors.ts';
import { type Actors, findForeignKeys, findRefusedTenants } from '../thirdParties/thirdPartyCalls.ts';
import type { Random } from '../world/random.ts';
import type { ChainKind, ChainOfRun } from './chainKind.ts';
import { findRefused } from './refusedRecords.ts';

interface NetworkTemplate {
  readonly ledger: LedgerTemplate;
  readonly network: SimulatedNetwork;
  readonly actors: Actors;
}

const CHAIN_ID = 31_337;
const NODES_MAX = 3;
const BASE_FEE = 2_000_000_000n;
const RELAYER_WEI = 10n ** 21n;
const TEMPLATE_BLOCK_MS = 200;
/** Blocks in which the relayer gets its balance. */
const FUNDING_BLOCKS = 20;
/** Blocks after which no run can replace a block of the template. */
const LAST_BLOCKS = 20;
/** What `finalized` means on the simulated chain. */
const FINALIZED_DEPTH = 3;

/** With this time between blocks, a majority of the nodes must agree on final blocks. */
const MAJORITY_BLOCK_MS = 1_200;

const toFinalDepth = ({ confirmations }: Plan['settings']): number =>
  confirmations === 0 ? FINALIZED_DEPTH : confirmations!;

const toNetworkOptions = (
  { urls }: SimulatedNetwork,
  settings: Plan['settings'],
): NonNullable<LedgerOptions['network']> => ({
  urls: urls.slice(0, settings.nodes),
  confirmations: settings.confirmations === 0 ? 'finalized' : settings.confirmations!,
  // A majority of the nodes in a third of the runs; a setting of its own would change the plans of all seeds.
  agreeing: settings.blockMs === MAJORITY_BLOCK_MS ? undefined : 1,
  timeoutMs: settings.timeoutMs!,
  pollMs: settings.pollMs!,
});

const drawSettings = (random: Random): Record<string, number> => ({
  nodes: random.integer(1, NODES_MAX),
  // 0: the tag `finalized`.
  confirmations: random.pick([1, 2, 3, 5, 0]),
  blockMs: random.pick([200, 600, MAJORITY_BLOCK_MS]),
  timeoutMs: random.pick([400, 1_500]),
  // Only short polls see a transaction between its first block and a reorg.
  pollMs: random.pick([100, 250, 500, 1_000]),
  isFree: random.integer(0, 1),
});

const createNetworkTemplate = async (isFree: boolean): Promise<NetworkTemplate> => {
  let network: SimulatedNetwork | undefined;
  const settings = { nodes: NODES_MAX, confirmations: 1, timeoutMs: 1_000, pollMs: 50 };
  const prepare = async (): Promise<LedgerOptions['network']> => {
    const opened = createNetwork({
      chainId: CHAIN_ID,
      nodes: NODES_MAX,
      finalDepth: 1,
      blockMs: TEMPLATE_BLOCK_MS,
      baseFeePerGas: isFree ? 0n : BASE_FEE,
      timeoutMs: settings.timeoutMs,
    });
    network = opened;
    setFetch(opened.fetch);
    opened.start();
    const keyring = await openKeyring(dataPaths(DATA_DIR).keys);
    fund(opened, (await keyring.openWallet('relayer')).address, RELAYER_WEI);
    await wait(FUNDING_BLOCKS * TEMPLATE_BLOCK_MS);
    const options = toNetworkOptions(opened, settings);
    const deployment = { dataDir: DATA_DIR, network: options, now: Date.now, onProblem: () => undefined };
    await deployNetworkLedger(deployment, () => undefined);
    return options;
  };
  const ledger = await createTemplate(prepare, () => wait(LAST_BLOCKS * TEMPLATE_BLOCK_MS));
  return { ledger, network: network!, actors: await readActors(ledger) };
};

const templates = new Map<boolean, Promise<NetworkTemplate>>();

const openTemplate = ({ isFree }: Plan['settings']): Promise<NetworkTemplate> => {
  const key = isFree === 1;
  const known = templates.get(key) ?? createNetworkTemplate(key);
  templates.set(key, known);
  return known;
};

const toDrawContext = (settings: Plan['settings']): DrawContext => ({
  nodes: settings.nodes!,
  confirmations: settings.confirmations === 0 ? 'finalized' : settings.confirmations!,
  finalDepth: toFinalDepth(settings),
  blockMs: settings.blockMs!,
  timeoutMs: settings.timeoutMs!,
  tenants: 2,
});

const drawFault: ChainKind['drawFault'] = (random, { kind, atMs }, settings) =>
  drawNetworkFault(random, atMs, toDrawContext(settings), [kind]);

const drawScenario: ChainKind['drawScenario'] = (random, creation, settings) =>
  creation && drawNetworkScenario(random, creation, toDrawContext(settings));

// Lies and faulty messages differ most: each is a kind of its own. Reorgs differ in what they do to each transaction.
// They and stray transactions are impossible on some networks.
const FAULT_NAMES = [
  ...Object.keys(NETWORK_FAULTS).filter((name) => name !== 'loseNonce'),
  ...Array<string>(7).fill('lie'),
  ...Array<string>(2).fill('loseMessages'),
  ...Array<string>(4).fill('strayTransactions'),
  ...Array<string>(9).fill('reorg'),
  ...Array<string>(7).fill('removeWriter'),
];

// Transactions of the relayer that wait: none may stay behind a gap in the nonces. Those from an underpriced one on
// wait for the next call, which takes its nonce with a higher bid.
const findWaiting = (network: SimulatedNetwork, { relayer }: Actors): string[] => {
  const underpriced = findUnderpricedNonce(network, relayer.address);
  return readWaiting(network, relayer.address)
    .filter(({ nonce }) => nonce < underpriced)
    .map(({ nonce, hash }) => `the relayer's transaction ${nonce}: ${describeTransaction(network, hash)}`);
};

// Removed writers that are not added again, in any block.
const findRemovals = (network: SimulatedNetwork, { tenants }: Actors): string[] =>
  tenants
    .filter(
      ({ identity, administrator }) =>
        network.tenantsWithoutWriter.has(identity) || readWaiting(network, administrator.address).length > 0,
    )
    .map(({ identity }) => `the removed writer of ${identity} is not added again`);

const TERMS = { clientVersion: 'simulation', tipPerGas: () => 0n };

// Those of these tenants whose author is no writer now; computed once for each block.
const createWriterWatch = (
  network: SimulatedNetwork,
  { contract, tenants }: Actors,
  refused: ReadonlySet<string>,
): (() => string[]) => {
  const calls = tenants
    .filter(({ identity }) => refused.has(identity))
    .map(({ identity, author }) => {
      const data = ledgerInterface.encodeFunctionData('isWriter', [toKey(identity), author.address]);
      return { identity, call: { to: contract, data } };
    });
  let known = { hash: '', missing: [] as string[] };
  return () => {
    const { hash } = network.chain.head;
    if (hash !== known.hash) {
      // A reorg has begun another branch, which is another view.
      const answer = createRpcAnswers(network.chain, TERMS);
      const missing = calls.filter(({ call }) => BigInt(answer('eth_call', [call, 'latest']) as string) === 0n);
      known = { hash, missing: missing.map(({ identity }) => `${identity} has no writer`) };
    }
    return known.missing;
  };
};

const readRefused = (network: SimulatedNetwork, { lastBlock }: LedgerTemplate): Set<string> => {
  const receipts = readFinalBlocks(network)
    .slice(lastBlock + 1)
    .flatMap((block) => block.receipts);
  const reverted = receipts.filter(({ status }) => status === 'reverted');
  return findRefused(reverted.map(({ transaction: { data }, output }) => ({ data, output })));
};

const readLogs = (network: SimulatedNetwork, template: LedgerTemplate, foreign: ReadonlySet<string>) =>
  readFinalLogs(network, template.contract)
    .map(({ log }) => log)
    .filter(({ blockNumber, recordKey }) => blockNumber > template.lastBlock && !foreign.has(recordKey));

// The most transactions of the relayer that wait at once, for the summary of many runs.
const countInFlight = (most: number): [string, number][] => {
  const least = [16, 8, 4, 2].find((limit) => most >= limit);
  return least === undefined ? [] : [[`transactions that wait at once: ${least} and more`, 1]];
};

const open = (plan: Plan, { ledger, network: known, actors }: NetworkTemplate): ChainOfRun => {
  const { settings, faults } = plan;
  const network = cloneNetwork(known, {
    finalDepth: toFinalDepth(settings),
    blockMs: settings.blockMs!,
    timeoutMs: settings.timeoutMs!,
  });
  setFetch(network.fetch);
  const foreign = findForeignKeys(faults);
  const refused = findRefusedTenants(faults, ledger.tenants);
  const findMissingWriters = createWriterWatch(network, actors, refused);
  let mostWaiting = 0;
  return {
    network: toNetworkOptions(network, settings),
    start: network.start,
    applyFault: (fault) => {
      const isOfNetwork = Object.hasOwn(NETWORK_FAULTS, fault.kind);
      if (isOfNetwork) applyNetworkFault(network, fault, actors);
      return isOfNetwork;
    },
    heal: network.heal,
    counts: () => new Map([...network.counts, ...countInFlight(mostWaiting)]),
    countWaiting: () => {
      const waiting = new Set(readWaiting(network, actors.relayer.address).map(({ nonce }) => nonce)).size;
      mostWaiting = Math.max(mostWaiting, waiting);
      return waiting;
    },
    findUnfinished: () => [
      ...findWaiting(network, actors),
      ...findMissingWriters(),
      ...findRemovals(network, actors),
      // Without its balance, the relayer can't pay for the last records.
      ...(isFunding(network) ? ['a transfer of the sponsor is not in a block that every node has'] : []),
    ],
    readRefused: async () => readRefused(network, ledger),
    readUndone: () => readUndone(network, { relayer: actors.relayer.address, contract: actors.contract }),
    readLogs: async () => readLogs(network, ledger, foreign),
  };
};

/** A network of up to three nodes. */
export const NETWORK: ChainKind<NetworkTemplate> = {
  drawSettings,
  faultNames: FAULT_NAMES,
  drawFault,
  drawScenario,
  openTemplate,
  open,
};
