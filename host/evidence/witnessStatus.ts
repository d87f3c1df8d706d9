// Reports on a witness: the first of several failures or differences of its clock, and their end.
import { CLOCK_SECONDS_TOLERATED, describeClock } from '../../chain/blockLog/witnessClock.ts';

/** Why a witness doesn't cosign. */
export type WitnessFailure = 'none' | 'unreachable' | 'refusing';

/** What was reported of a witness. */
export interface WitnessStatus {
  readonly name: string;
  failure: WitnessFailure;
  isOffTime: boolean;
}

/** Reports a problem, or its end. */
export type OnWitnessProblem = (message: string, cause?: unknown) => void;

/** Of a witness of which nothing was reported. */
export const createStatus = (name: string): WitnessStatus => ({ name, failure: 'none', isOffTime: false });

/** Reports a failure unless it is the same kind as before, and the end of failures. */
export const setFailure = (
  status: WitnessStatus,
  failure: WitnessFailure,
  onProblem: OnWitnessProblem,
  cause?: unknown,
): void => {
  if (failure === status.failure) return;
  status.failure = failure;
  if (failure === 'none') onProblem(`the witness ${status.name} cosigns the block log again`);
  else onProblem(`the witness ${status.name} doesn't cosign the block log`, cause);
};

/** Reports a clock that is more than five minutes from ours, and its correction. */
export const setClock = (status: WitnessStatus, aheadSeconds: number, onProblem: OnWitnessProblem): void => {
  const isOffTime = Math.abs(aheadSeconds) > CLOCK_SECONDS_TOLERATED;
  if (isOffTime === status.isOffTime) return;
  status.isOffTime = isOffTime;
  const found = isOffTime ? `is ${describeClock(aheadSeconds)}` : "agrees with this server's again";
  onProblem(`the clock of the witness ${status.name} ${found}`);
};
