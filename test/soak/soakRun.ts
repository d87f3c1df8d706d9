// One soak test: a server under load is killed and started again, sampled, and compared with what was requested.
import type { OnStep } from '../../host/ledgerOptions.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { deployOn, type TestNetwork, toNetwork } from '../support/chainKinds.ts';
import { startNode } from '../support/externalNode.ts';
import { send } from '../support/testLedger.ts';
import { delay } from '../support/until.ts';
import { awaitEmptyOutbox, checkDirectory, checkListedEvents } from './checkLedger.ts';
import { toKillingMinutes } from './division.ts';
import { createLoadCounts, createSoakClient, type Load, type LoadCounts, runLoad } from './load.ts';
import { createPostEvent } from './postEvent.ts';
import { type CollectedSample, type IdleSamples, type Sample, startCollecting, startSampling } from './samples.ts';
import { type RunningServer, type SoakedServer, startSoakedServer } from './soakedServer.ts';

export type SoakChain = 'embedded' | 'anvil';

export interface SoakOptions {
  readonly dataDir: string;
  readonly chain: SoakChain;
  readonly minutes: number;
  /** Seconds that a run of the server answers before it is killed, in the first part of the time. */
  readonly killEverySeconds: number;
  /** Events per second; undefined: half of the rate that is measured first. */
  readonly rate: number | undefined;
  readonly onStep: OnStep;
}

/** What a soak test measured and found. */
export interface SoakResult {
  /** Events per second that all clients reached together; undefined where the rate was given. */
  readonly measuredRate: number | undefined;
  /** Events per second that the clients were to send. */
  readonly rate: number;
  /** Events per second that were answered, restarts included. */
  readonly reachedRate: number;
  readonly counts: LoadCounts;
  readonly samples: readonly Sample[];
  /** Of the last run, which is not killed. */
  readonly collected: readonly CollectedSample[];
  readonly idle: IdleSamples;
  /** Milliseconds of each restart after a kill under load. */
  readonly restartsMs: readonly number[];
  /** Events on the ledger. */
  readonly events: number;
  /** What is missing, duplicated, elsewhere, or was never requested. */
  readonly differences: readonly string[];
}

const CLIENTS = 64;
const WARM_UP_MS = 3_000;
const MEASURE_MS = 7_000;
const LOADED_SHARE = 0.5;
/** States of past blocks that anvil keeps, in memory. Otherwise it writes each to a file: 10 GB in 15 minutes. */
const STATES_OF_ANVIL = '128';

/**
 * With a network the server's memory is judged over minutes, so LevelDB's cache must be full when that begins. Its
 * usual 64 MiB would fill for about an hour.
 */
const INDEX_CACHE_BYTES = 2 * 2 ** 20;

interface ChainOfSoak {
  readonly network: TestNetwork | undefined;
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const openChain = async ({ chain, dataDir }: SoakOptions): Promise<ChainOfSoak> => {
  if (chain === 'embedded') return { network: undefined, settings: {}, close: async () => undefined };
  const node = await startNode('anvil', { more: ['--prune-history', STATES_OF_ANVIL] });
  const network = toNetwork(node.url);
  await deployOn(node, dataDir, network);
  const settings = { CHAIN_RPC_URL: node.url, INDEX_CACHE_BYTES: String(INDEX_CACHE_BYTES) };
  return { network, settings, close: node.kill };
};

const createAsset = async ({ base, token }: RunningServer, number: number): Promise<string> => {
  const body = { attributes: { arc_display_name: `Door ${number}`, arc_display_type: 'Door' } };
  const answer = await send<AssetResource>(`${base}/assets`, token(), { body });
  if (answer.status !== 200) throw new Error(`an asset could not be created: ${JSON.stringify(answer.body)}`);
  return answer.body.identity;
};

const fetchNewestBlock = async ({ base, token }: RunningServer): Promise<number> => {
  const { body } = await send<{ events: EventResource[] }>(`${base}/assets/-/events?page_size=1`, token());
  return body.events[0]!.block_number;
};

// The run that was measured ends with a kill, so that every sampled run begins with the same load.
const measureRate = async (load: Load): Promise<number> => {
  await runLoad(load, Number.POSITIVE_INFINITY, WARM_UP_MS);
  const before = load.counts.answered;
  const beganMs = performance.now();
  await runLoad(load, Number.POSITIVE_INFINITY, MEASURE_MS);
  const rate = ((load.counts.answered - before) * 1_000) / (performance.now() - beganMs);
  await load.server.killAndRestart();
  return rate;
};

const killRegularly = async (server: SoakedServer, endMs: number, periodMs: number): Promise<number[]> => {
  const restartsMs: number[] = [];
  for (;;) {
    const { readyMs } = await server.ready();
    const killMs = readyMs + periodMs;
    if (killMs >= endMs) return restartsMs;
    await delay(Math.max(0, killMs - performance.now()));
    restartsMs.push((await server.killAndRestart()).startMs);
  }
};

const showProgress = ({ onStep, minutes }: SoakOptions): (() => void) => {
  const beganMs = performance.now();
  const total = Math.ceil(minutes * 60);
  const show = (done: number): void => {
    const title = done < toKillingMinutes(minutes) * 60 ? 'writing, with kills' : 'writing, without kills';
    onStep({ title, unit: 's', done, total });
  };
  const timer = setInterval(() => {
    show(Math.min(total - 1, Math.floor((performance.now() - beganMs) / 1_000)));
  }, 1_000);
  return () => {
    clearInterval(timer);
    show(total);
  };
};

/** A collection takes some 100 ms; four in a minute are enough for a slope over minutes. */
const COLLECTION_PERIOD_MS = 15_000;

// Collections would change the runs that are killed, so they begin with the run that isn't.
const startSamplingOf = ({ server, counts }: Load) => {
  const readEvents = (): number => counts.answered;
  const stopSampling = startSampling(server, readEvents);
  let stopCollecting: () => Promise<CollectedSample[]> = async () => [];
  return {
    collect: () => {
      stopCollecting = startCollecting(server, COLLECTION_PERIOD_MS, readEvents);
    },
    stop: async () => ({ samples: await stopSampling(), collected: await stopCollecting() }),
  };
};

const holdLoad = async (options: SoakOptions, load: Load, rate: number) => {
  const { server, counts } = load;
  const { minutes, killEverySeconds } = options;
  const beganMs = performance.now();
  const before = counts.answered;
  const sampling = startSamplingOf(load);
  const stopProgress = showProgress(options);
  const kill = async (): Promise<number[]> => {
    const restartsMs = await killRegularly(
      server,
      beganMs + toKillingMinutes(minutes) * 60_000,
      killEverySeconds * 1_000,
    );
    sampling.collect();
    return restartsMs;
  };
  try {
    const [restartsMs] = await Promise.all([kill(), runLoad(load, rate, minutes * 60_000)]);
    const reachedRate = ((counts.answered - before) * 1_000) / (performance.now() - beganMs);
    return { restartsMs, reachedRate, ...(await sampling.stop()) };
  } finally {
    await sampling.stop();
    stopProgress();
  }
};

const IDLE_MS = 15_000;
const IDLE_PERIOD_MS = 1_000;
// Two are the fewest whose spread is known; each more narrows the interval, and a large chain takes minutes to open.
const NEW_PROCESSES = 3;

const sampleIdle = async ({ server, counts }: Load): Promise<CollectedSample[]> => {
  await server.ready();
  const stop = startCollecting(server, IDLE_PERIOD_MS, () => counts.answered);
  try {
    await delay(IDLE_MS);
  } finally {
    await stop();
  }
  return stop();
};

const compareWithNewProcesses = async ({ onStep }: SoakOptions, load: Load): Promise<IdleSamples> => {
  const show = (done: number): void =>
    onStep({ title: 'sampling processes without load', unit: 'processes', done, total: NEW_PROCESSES + 1 });
  show(0);
  const ended = await sampleIdle(load);
  const restarted: CollectedSample[][] = [];
  while (restarted.length < NEW_PROCESSES) {
    show(1 + restarted.length);
    await load.server.killAndRestart();
    restarted.push(await sampleIdle(load));
  }
  show(1 + restarted.length);
  return { ended, restarted };
};

// The connections of the clients are closed at the end.
const loadServer = async (options: SoakOptions, server: SoakedServer, assets: readonly string[]) => {
  const { postEvent, close } = createPostEvent(CLIENTS);
  const load: Load = { server, clients: assets.map(createSoakClient), postEvent, counts: createLoadCounts() };
  try {
    const measuredRate = options.rate === undefined ? await measureRate(load) : undefined;
    const rate = options.rate ?? measuredRate! * LOADED_SHARE;
    return { load, measuredRate, rate, ...(await holdLoad(options, load, rate)) };
  } finally {
    close();
  }
};

const soakServer = async (options: SoakOptions, chain: ChainOfSoak, server: SoakedServer): Promise<SoakResult> => {
  const { dataDir, onStep } = options;
  const first = await server.ready();
  const assets = await Promise.all(Array.from({ length: CLIENTS }, (_, number) => createAsset(first, number)));
  const setUpBlock = await fetchNewestBlock(first);
  const { load, ...held } = await loadServer(options, server, assets);
  await awaitEmptyOutbox(await server.ready());
  const idle = await compareWithNewProcesses(options, load);
  const { differences, streams, events } = await checkListedEvents(await server.ready(), load.clients, onStep);
  await server.stop();
  const further = await checkDirectory({ dataDir, network: chain.network }, streams, setUpBlock, onStep);
  return { ...held, idle, counts: load.counts, events, differences: [...differences, ...further] };
};

/** Runs a soak test on an empty data directory. Rejects when the server ends by itself or refuses a valid request. */
export const runSoak = async (options: SoakOptions): Promise<SoakResult> => {
  const chain = await openChain(options);
  try {
    const server = await startSoakedServer(options.dataDir, chain.settings);
    try {
      return await soakServer(options, chain, server);
    } finally {
      await server.destroy();
    }
  } finally {
    await chain.close();
  }
};
