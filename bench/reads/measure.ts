// Clients in a closed loop in this process: each asks again as soon as it has its answer.
import { minus, readCost } from './cost.ts';

/** What one kind of request took, in milliseconds. */
export interface Measured {
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  /** The main thread's time on a processor for one request. */
  readonly cpuMs: number;
}

/** Ends at whichever bound is reached first. */
interface Bounds {
  readonly requests: number;
  readonly ms: number;
}

const WARM_UP: Bounds = { requests: 100, ms: 500 };
const MEASURE: Bounds = { requests: 1_000, ms: 2_000 };

const quantile = (sorted: readonly number[], fraction: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))]!;

const ask = async (request: () => Promise<unknown>, clients: number, bounds: Bounds): Promise<number[]> => {
  const latenciesMs: number[] = [];
  const endMs = performance.now() + bounds.ms;
  let asked = 0;
  const client = async (): Promise<void> => {
    while (asked < bounds.requests && performance.now() < endMs) {
      asked += 1;
      const startedMs = performance.now();
      await request();
      latenciesMs.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return latenciesMs;
};

/** Measures a request with this many clients at once, after a warm-up. */
export const measure = async (request: () => Promise<unknown>, clients: number): Promise<Measured> => {
  await ask(request, clients, WARM_UP);
  const started = readCost();
  const latenciesMs = await ask(request, clients, MEASURE);
  const { elapsedMs, cpuMs } = minus(readCost(), started);
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  return {
    medianMs: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    perSecond: (sorted.length / elapsedMs) * 1000,
    cpuMs: cpuMs / sorted.length,
  };
};
