// The measurement of one tree: its server in a process of its own, on a fresh data directory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssets } from '../load/createAssets.ts';
import { type ProcessUsage, readProcessUsage } from '../load/processUsage.ts';
import { type LoadOrder, type LoadResult, runLoad } from '../load/runLoad.ts';
import { quantile } from '../quantile.ts';
import type { Figures } from './figures.ts';
import { issueTreeToken, startTree, type Tree } from './tree.ts';

/** How long and with how much load each tree is measured. */
export interface Plan {
  /** Clients of the loaded part. */
  readonly clients: number;
  /** Measured time with one client, and the least with many. */
  readonly seconds: number;
  /** The fewest events that memory is measured over. `WARM_UP_EVENTS` precede them. */
  readonly eventsMin: number;
}

/** Assets that the events go to. */
export const ASSETS = 50;
/** What precedes each measured time. */
export const WARM_UP_MS = 3_000;
/**
 * Events that precede the measured ones with many clients, besides: after them V8's young generation, the write buffers
 * of LevelDB and the caches with a bound have reached their size, in both trees. What grows afterwards grows with each
 * event.
 */
export const WARM_UP_EVENTS = 15_000;

// All clients are one tenant, so its rate limit is raised until it is never reached.
const SETTINGS = { LOG_LEVEL: 'warn', RATE_LIMIT_PER_SECOND: '100000' };

/** Figures of one tree, and what the load generator needed itself. */
export interface TreeResult {
  readonly figures: Figures;
  /** CPU time of the load generator for each event, all threads. */
  readonly generatorCpuUs: number;
}

const runSampled = async (order: LoadOrder, pid: number, signal: AbortSignal) => {
  const samples: Promise<ProcessUsage>[] = [];
  const result = await runLoad(order, { onBoundary: () => samples.push(readProcessUsage(pid)), signal });
  const [began, ended] = await Promise.all(samples);
  return { result, began: began!, ended: ended! };
};

const toLatencies = ({ latenciesMs }: LoadResult) => {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  return { medianMs: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
};

const measureServer = async (
  target: Pick<LoadOrder, 'url' | 'token' | 'assets'> & { pid: number },
  { clients, seconds, eventsMin }: Plan,
  signal: AbortSignal,
): Promise<TreeResult> => {
  const { pid, ...place } = target;
  const common = { ...place, warmUpMs: WARM_UP_MS, measureMs: seconds * 1_000 };
  const single = await runLoad({ ...common, clients: 1, warmUpEvents: 1, eventsMin: 1 }, { signal });
  const loaded = { ...common, clients, warmUpEvents: WARM_UP_EVENTS, eventsMin };
  const { result, began, ended } = await runSampled(loaded, pid, signal);
  const events = result.latenciesMs.length;
  return {
    figures: {
      perSecond: events / (result.elapsedMs / 1_000),
      ...toLatencies(result),
      singleMedianMs: toLatencies(single).medianMs,
      memoryBytes: (ended.residentBytes - began.residentBytes) / events,
      mainThreadCpuUs: ((ended.mainThreadCpuMs - began.mainThreadCpuMs) * 1_000) / events,
      cpuUs: ((ended.cpuMs - began.cpuMs) * 1_000) / events,
    },
    generatorCpuUs: (result.generatorCpuMs * 1_000) / events,
  };
};

/**
 * Measures one tree. Its server and its data directory are gone afterwards, also when it fails.
 * @throws Error when an event is not answered with CONFIRMED, or `signal` ends the measurement
 */
export const measureTree = async (tree: Tree, plan: Plan, signal: AbortSignal): Promise<TreeResult> => {
  signal.throwIfAborted();
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startTree(tree, dataDir, SETTINGS, signal);
  stack.defer(async () => void (await server.stop('SIGTERM')));
  const token = await issueTreeToken(tree, dataDir, signal);
  const url = `${server.url}/archivist`;
  const assets = await createAssets(url, token, ASSETS);
  return await measureServer({ pid: server.process.pid!, url, token, assets }, plan, signal);
};
