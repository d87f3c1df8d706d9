// Samples of the server's process: resident memory, descriptors, and the outbox.
import { readdir, readFile } from 'node:fs/promises';
import type { RunningServer, SoakedServer } from './soakedServer.ts';

/** The state of the server's process at one moment. */
export interface Sample {
  /** Number of the process run, from 0. */
  readonly run: number;
  /** Minutes of `performance.now()`. */
  readonly minutes: number;
  /** Seconds since this run of the process answered. */
  readonly ageSeconds: number;
  /** Resident memory, in bytes. */
  readonly memory: number;
  readonly descriptors: number;
  /** Records that wait for the chain. */
  readonly pending: number;
  /** Events that were answered until then, over all runs. */
  readonly events: number;
}

/** Samples of the server without load: of its last run after the load, and of new processes, one list for each. */
export interface IdleSamples {
  readonly ended: readonly Sample[];
  readonly restarted: readonly (readonly Sample[])[];
}

const PERIOD_MS = 1_000;
const METRICS_TIMEOUT_MS = 10_000;

const readMemory = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
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
  return { run: server.run, minutes: nowMs / 60_000, ageSeconds, memory, descriptors, pending, events };
};

/**
 * Samples the running server every second, and returns a function that ends the sampling and returns the samples. An
 * attempt that a kill interrupts gives none.
 */
export const startSampling = (server: SoakedServer, readEvents: () => number): (() => Promise<Sample[]>) => {
  const samples: Sample[] = [];
  let sampling: Promise<void> | undefined;
  const sampleOnce = async (): Promise<void> => {
    const running = server.current();
    if (running === undefined) return;
    try {
      samples.push(await takeSample(running, readEvents()));
    } catch (error) {
      if (server.current() === running) console.error('a sample could not be taken:', error);
    }
  };
  const timer = setInterval(() => {
    sampling ??= sampleOnce().finally(() => {
      sampling = undefined;
    });
  }, PERIOD_MS);
  return async () => {
    clearInterval(timer);
    await sampling;
    return samples;
  };
};
