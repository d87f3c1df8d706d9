// Clients in a closed loop in this process: each sends its next request as soon as it has the answer to the previous
// one.
import { quantile } from '../quantile.ts';
import { minus, readCost } from './cost.ts';

/** The latency and the cost of one kind of request. */
export interface Measured {
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  /** The main thread's time on a processor for one request. */
  readonly cpuMs: number;
}

/** A measurement ends when the first of its bounds is reached. */
interface Bounds {
  readonly requests: number;
  readonly ms: number;
}

const WARM_UP: Bounds = { requests: 100, ms: 500 };
const MEASURE: Bounds = { requests: 1_000, ms: 2_000 };

const run = async (request: () => Promise<unknown>, clients: number, bounds: Bounds): Promise<number[]> => {
  const latenciesMs: number[] = [];
  const endMs = performance.now() + bounds.ms;
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent < bounds.requests && performance.now() < endMs) {
      sent += 1;
      const startedMs = performance.now();
      await request();
      latenciesMs.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return latenciesMs;
};

/** Measures a request with this many concurrent clients, after a warm-up. */
export const measure = async (request: () => Promise<unknown>, clients: number): Promise<Measured> => {
  await run(request, clients, WARM_UP);
  const started = readCost();
  const latenciesMs = await run(request, clients, MEASURE);
  const { elapsedMs, cpuMs } = minus(readCost(), started);
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  return {
    medianMs: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    perSecond: (sorted.length / elapsedMs) * 1000,
    cpuMs: cpuMs / sorted.length,
  };
};
