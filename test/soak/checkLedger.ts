// Compares the ledger at the end of a soak test with what its clients requested: over HTTP, on the chain, and the index
// with a rebuilt one.
import { rename, rm } from 'node:fs/promises';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { OnStep } from '../../host/ledgerOptions.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { createIndexStore } from '../../indexer/store.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { TestNetwork } from '../support/chainKinds.ts';
import { findIndexDifference } from '../support/findIndexDifference.ts';
import { openTestLedger, send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';
import type { SoakClient } from './load.ts';
import { findDifferences, toListedEvent } from './requests.ts';
import { fetchPending } from './samples.ts';
import type { RunningServer } from './soakedServer.ts';

const DRAIN_MS_MAX = 60_000;
const PAGE_BLOCKS = 256;

/** Waits until the chain has every accepted record. Rejects after a minute. */
export const awaitEmptyOutbox = async (server: RunningServer): Promise<void> => {
  let pending = 0;
  const isEmpty = async (): Promise<boolean> => {
    pending = await fetchPending(server);
    return pending === 0;
  };
  await until(isEmpty, () => `${pending} records still wait for the chain`, DRAIN_MS_MAX);
};

// Oldest first.
const listEvents = async ({ base, token }: RunningServer, asset: string): Promise<EventResource[]> => {
  const events: EventResource[] = [];
  for (let query = 'page_size=1000'; query !== ''; ) {
    const url = `${base}/${asset}/events?${query}`;
    const { status, body } = await send<{ events: EventResource[]; next_page_token: string }>(url, token());
    if (status !== 200 && status !== 206) throw new Error(`${url} answers ${status}: ${JSON.stringify(body)}`);
    events.push(...body.events);
    query = body.next_page_token === '' ? '' : `page_token=${encodeURIComponent(body.next_page_token)}`;
  }
  return events.reverse();
};

/** The record keys of each asset's stream in ledger order, its creation included. */
export type Streams = ReadonlyMap<string, readonly string[]>;

/** What the API lists: the differences from the requests, and the streams that the chain must have. */
export interface ListedLedger {
  readonly differences: string[];
  readonly streams: Streams;
  readonly events: number;
}

/** Lists all events of each client's asset over HTTP, and compares them with the client's requests. */
export const checkListedEvents = async (
  server: RunningServer,
  clients: readonly SoakClient[],
  onStep: OnStep,
): Promise<ListedLedger> => {
  const differences: string[] = [];
  const streams = new Map<string, string[]>();
  let events = 0;
  for (const [at, { asset, requests }] of clients.entries()) {
    const [creation, ...listed] = await listEvents(server, asset);
    if (creation?.operation !== 'NewAsset') throw new Error(`${asset} does not begin with its creation`);
    differences.push(...findDifferences(requests, listed.map(toListedEvent)));
    const identities = [creation, ...listed].map(({ identity }) => toHex(toKey(identity)));
    streams.set(toHex(toKey(asset)), identities);
    events += listed.length;
    onStep({ title: 'comparing the events with the requests', unit: 'assets', done: at + 1, total: clients.length });
  }
  return { differences, streams, events };
};

// Keys of the streams' records on the chain, and the records that other streams got after set-up.
const readChain = async (ledger: Ledger, streams: Streams, setUpBlock: number, onStep: OnStep) => {
  const found = new Map<string, string[]>([...streams.keys()].map((stream) => [stream, []]));
  const others: string[] = [];
  const { number: total } = await ledger.chain.fetchFinalHead();
  for (let fromBlock = 0; fromBlock <= total; fromBlock += PAGE_BLOCKS) {
    const toBlock = Math.min(total, fromBlock + PAGE_BLOCKS - 1);
    for (const log of await ledger.chain.fetchRecordLogs({ address: ledger.contract, fromBlock, toBlock })) {
      const stream = found.get(log.streamKey);
      if (stream !== undefined) stream.push(log.recordKey);
      else if (log.blockNumber > setUpBlock) others.push(log.recordKey);
    }
    onStep({ title: 'comparing the events with the chain', unit: 'blocks', done: toBlock, total });
  }
  return { found, others };
};

const compareStreams = (streams: Streams, found: Streams): string[] =>
  [...streams].flatMap(([stream, listed]) => {
    const onChain = found.get(stream)!;
    const at = listed.findIndex((key, index) => key !== onChain[index]);
    if (at < 0 && listed.length === onChain.length) return [];
    return [
      `the chain has ${onChain.length} records of stream ${stream}, the index ${listed.length}; they differ at ${at}`,
    ];
  });

/**
 * Compares what the API listed with the chain: each stream has the same records in the same order, and nothing else was
 * recorded after block `setUpBlock`.
 */
const checkChain = async (ledger: Ledger, streams: Streams, setUpBlock: number, onStep: OnStep): Promise<string[]> => {
  const { found, others } = await readChain(ledger, streams, setUpBlock, onStep);
  return [...compareStreams(streams, found), ...others.map((key) => `record ${key} was never requested`)];
};

const compareDirectories = async (grownPath: string, rebuiltPath: string): Promise<string[]> => {
  const [grown, rebuilt] = [await createIndexStore(grownPath), await createIndexStore(rebuiltPath)];
  try {
    const difference = await findIndexDifference(grown, rebuilt);
    return difference === undefined ? [] : [difference];
  } finally {
    await grown.close();
    await rebuilt.close();
  }
};

/**
 * Compares a closed data directory with its chain, and its index with a rebuilt one. Returns each difference. Opens the
 * ledger once: that can take as much memory as the server has.
 */
export const checkDirectory = async (
  { dataDir, network }: { dataDir: string; network: TestNetwork | undefined },
  streams: Streams,
  setUpBlock: number,
  onStep: OnStep,
): Promise<string[]> => {
  const { index } = dataPaths(dataDir);
  const grown = `${index}.grown`;
  await rename(index, grown);
  // It builds the index that is missing.
  const ledger = await openTestLedger(dataDir, { network, onStep });
  let differences: string[];
  try {
    differences = await checkChain(ledger, streams, setUpBlock, onStep);
  } finally {
    await ledger.close();
  }
  differences.push(...(await compareDirectories(grown, index)));
  await rm(grown, { recursive: true });
  return differences;
};
