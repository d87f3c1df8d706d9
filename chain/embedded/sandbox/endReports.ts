// Reports the ends of the sandbox's processes. Anybody can cause them, so their number must not fill the output.
import type { EngineEnded } from '../engine/engine.ts';

const PERIOD_MS = 60_000;

/** Calls `onProblem` for an end, at most once a minute, with the number of the ends since the last report. */
export const createEndReports = (onProblem: (message: string, cause?: unknown) => void, nowMs: () => number) => {
  let unreported = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return ({ cause }: EngineEnded): void => {
    unreported += 1;
    if (nowMs() - lastMs < PERIOD_MS) return;
    const count = unreported === 1 ? '' : ` (${unreported} times since this was last reported)`;
    onProblem(`the engine that executes third parties' code has ended; another one starts${count}`, cause);
    unreported = 0;
    lastMs = nowMs();
  };
};
