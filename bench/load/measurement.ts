// The warm-up and the measured time of a load generator.
import type { LoadMessage, LoadOrder } from './runLoad.ts';

/** How an event was answered. */
export type Outcome = 'confirmed' | 'pending' | 'refused';

/** What a load generator measures. */
export interface Measurement {
  /** Adds an answer: when its request began, or was due, and when it arrived, both of `performance.now`. */
  add(startMs: number, nowMs: number, outcome: Outcome): void;
  isOver(): boolean;
}

/**
 * Begins the measurement of an order. The warm-up and the measured time each end when both their time and their events
 * are reached. Answers count when they arrive in the measured time.
 */
export const createMeasurement = (
  { warmUpMs, warmUpEvents, measureMs, eventsMin }: LoadOrder,
  report: (message: LoadMessage) => void,
): Measurement => {
  const latenciesMs: number[] = [];
  const others = { pending: 0, refused: 0 };
  let state: 'warm-up' | 'measured' | 'over' = 'warm-up';
  let sinceMs = performance.now();
  let warmUpCount = 0;
  let cpuAtBegin: NodeJS.CpuUsage | undefined;
  const begin = (nowMs: number): void => {
    [state, sinceMs, cpuAtBegin] = ['measured', nowMs, process.cpuUsage()];
    report({ kind: 'began' });
  };
  const end = (nowMs: number): void => {
    state = 'over';
    const { user, system } = process.cpuUsage(cpuAtBegin);
    report({ kind: 'ended' });
    const elapsedMs = nowMs - sinceMs;
    report({ kind: 'result', result: { latenciesMs, ...others, elapsedMs, generatorCpuMs: (user + system) / 1000 } });
  };
  const count = (latencyMs: number, outcome: Outcome): void => {
    if (outcome === 'confirmed') latenciesMs.push(latencyMs);
    else others[outcome] += 1;
  };
  return {
    add: (startMs, nowMs, outcome) => {
      if (state === 'warm-up') {
        warmUpCount += 1;
        if (nowMs - sinceMs >= warmUpMs && warmUpCount >= warmUpEvents) begin(nowMs);
      } else if (state === 'measured') {
        count(nowMs - startMs, outcome);
        const events = latenciesMs.length + others.pending + others.refused;
        if (nowMs - sinceMs >= measureMs && events >= eventsMin) end(nowMs);
      }
    },
    isOver: () => state === 'over',
  };
};
