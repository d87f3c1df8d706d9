// Samples of the server's process: resident memory, descriptors, the outbox, and what is in use after a collection.
import { readdir, readFile } from 'node:fs/promises';
import { collectGarbage } from './collectGarbage.ts';
import type { RunningServer, SoakedServer } from './soakedServer.ts';

/** The state of the server's process at one moment. */
export interface Sample {
  /** Number of the process run, from 0. */
  readonly run: number;
  /** Minutes of `performance.now()`. */
  readonly minutes: number;
  /** Seconds since this run of the process answered. */
  readonly ageSeconds: number;
  /** Resident memory, in bytes: anonymous memory, and pages of files, which the kernel can drop. */
  readonly memory: number;
  /** Bytes of resident memory that no file contains: what the process allocated. */
  readonly anonymous: number;
  readonly descriptors: number;
  /** Records that wait for the chain. */
  readonly pending: number;
  /** Events that were answered until then, over all runs. */
  readonly events: number;
}

/** A sample directly after a complete garbage collection, so without the garbage that memory otherwise contains. */
export interface CollectedSample extends Sample {
  /** Bytes of JavaScript's objects. */
  readonly heapUsed: number;
  /** Bytes of C++ that JavaScript's objects own, with the contents of buffers. */
  readonly external: number;
  /** Milliseconds of the collection, with the requests to the inspector. */
  readonly collectionMs: number;
}

/** Samples of the server without load: of its last run after the load, and of new processes, one list for each. */
export interface IdleSamples {
  readonly ended: readonly CollectedSample[];
  readonly restarted: readonly (readonly CollectedSample[])[];
}

const PERIOD_MS = 1_000;
const METRICS_TIMEOUT_MS = 10_000;

const readMemory = async (pid: number): Promise<Pick<Sample, 'memory' | 'anonymous'>> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const readBytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) * 1024;
  return { memory: readBytes('VmRSS'), anonymous: readBytes('RssAnon') };
};

const countDescriptors = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;

/** Number of records that wait for the chain, from the server's metrics. */
export const fetchPending = async ({ metricsUrl }: RunningServer): Promise<number> => {
  const response = await fetch(metricsUrl, { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) });
  return Number(/^ledger_outbox_pending_records (\d+)$/m.exec(await response.text())![1]);
};

const takeSample = async (server: RunningServer, events: number): Promise<Sample> => {
  const [memory, descriptors, pending] = await Promise.all([
    readMemory(server.pid),
    countDescriptors(server.pid),
    fetchPending(server),
  ]);
  const nowMs = performance.now();
  const ageSeconds = (nowMs - server.readyMs) / 1_000;
  return { run: server.run, minutes: nowMs / 60_000, ageSeconds, ...memory, descriptors, pending, events };
};

const takeCollectedSample = async (server: RunningServer, events: number): Promise<CollectedSample> => {
  const beganMs = performance.now();
  const { heapUsed, external } = await collectGarbage(server);
  const collectionMs = performance.now() - beganMs;
  return { ...(await takeSample(server, events)), heapUsed, external, collectionMs };
};

// An attempt that a kill interrupts gives no sample.
const samplePeriodically = <T extends Sample>(
  server: SoakedServer,
  periodMs: number,
  take: (running: RunningServer) => Promise<T>,
): (() => Promise<T[]>) => {
  const samples: T[] = [];
  let sampling: Promise<void> | undefined;
  const sampleOnce = async (): Promise<void> => {
    const running = server.current();
    if (running === undefined) return;
    try {
      samples.push(await take(running));
    } catch (error) {
      if (server.current() === running) console.error('a sample could not be taken:', error);
    }
  };
  const timer = setInterval(() => {
    sampling ??= sampleOnce().finally(() => {
      sampling = undefined;
    });
  }, periodMs);
  return async () => {
    clearInterval(timer);
    await sampling;
    return samples;
  };
};

/** Samples the running server every second, and returns a function that ends the sampling and returns the samples. */
export const startSampling = (server: SoakedServer, readEvents: () => number): (() => Promise<Sample[]>) =>
  samplePeriodically(server, PERIOD_MS, (running) => takeSample(running, readEvents()));

/** As `startSampling`, but each sample directly after a complete garbage collection of the server. */
export const startCollecting = (
  server: SoakedServer,
  periodMs: number,
  readEvents: () => number,
): (() => Promise<CollectedSample[]>) =>
  samplePeriodically(server, periodMs, (running) => takeCollectedSample(running, readEvents()));
