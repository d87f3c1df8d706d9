// Measures the same request without and with sharing, one after the other in turn, so that other load on the machine
// affects both alike.
import { quantile } from '../quantile.ts';
import { minus, readCost } from '../reads/cost.ts';

/** The latency and the cost of requests of one kind. */
export interface Latencies {
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The same of the main thread's time on a processor. */
  readonly cpuMedianMs: number;
  readonly cpuP99Ms: number;
}

/** When a measurement ends: after this many requests of each kind, or this long. */
export interface MeasureBounds {
  readonly requests: number;
  readonly ms: number;
}

const WARM_UP_REQUESTS = 5;

const createSamples = () => {
  const latenciesMs: number[] = [];
  const cpuMs: number[] = [];
  return {
    take: async (send: () => Promise<unknown>): Promise<void> => {
      const started = readCost();
      await send();
      const cost = minus(readCost(), started);
      latenciesMs.push(cost.elapsedMs);
      cpuMs.push(cost.cpuMs);
    },
    toLatencies: (): Latencies => {
      const [elapsed, cpu] = [latenciesMs, cpuMs].map((each) => each.toSorted((a, b) => a - b)) as [number[], number[]];
      return {
        medianMs: quantile(elapsed, 0.5),
        p99Ms: quantile(elapsed, 0.99),
        cpuMedianMs: quantile(cpu, 0.5),
        cpuP99Ms: quantile(cpu, 0.99),
      };
    },
  };
};

/** Measures each of the requests in turn. `before` runs before each request, and isn't measured. */
export const measureSideBySide = async (
  sends: readonly (() => Promise<unknown>)[],
  before: () => Promise<void>,
  bounds: MeasureBounds,
): Promise<Latencies[]> => {
  for (let at = 0; at < WARM_UP_REQUESTS; at += 1) for (const send of sends) await send();
  const samples = sends.map(createSamples);
  const endMs = performance.now() + bounds.ms;
  for (let sent = 0; sent < bounds.requests && performance.now() < endMs; sent += 1) {
    for (const [at, send] of sends.entries()) {
      await before();
      await samples[at]!.take(send);
    }
  }
  return samples.map(({ toLatencies }) => toLatencies());
};
