// Reports when records can't reach the chain, and when they can again: one line each, however many batches try again
// and however often.
import { LedgerError } from '../../ledger/errors.ts';

/** The attempts of all batches. */
export interface FailedAttempts {
  /** An attempt of the task has failed; the task is tried again. */
  note(task: object, cause: unknown): void;
  /** The task has succeeded, or is given up. */
  end(task: object): void;
}

/** Options of the report. */
export interface FailedAttemptsOptions {
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** Called after each failed attempt. */
  readonly onFailedAttempt?: (() => void) | undefined;
  /** Ends the report. */
  readonly signal: AbortSignal;
}

/** How long no task may be failing until it counts as the end: the longest pause between two attempts. */
const CALM_MS = 5_000;

const toKind = (cause: unknown): string => (cause instanceof LedgerError ? cause.code : 'other');

/** No failed attempts yet. A line is written for each kind of failure, once until the end. */
export const createFailedAttempts = ({ onProblem, onFailedAttempt, signal }: FailedAttemptsOptions): FailedAttempts => {
  const failing = new Set<object>();
  const reported = new Set<string>();
  let attempts = 0;
  let calming: NodeJS.Timeout | undefined;
  const end = (): void => {
    onProblem(`the chain takes records again, after ${attempts} failed attempts`);
    reported.clear();
    attempts = 0;
  };
  signal.addEventListener('abort', () => clearTimeout(calming));
  return {
    note: (task, cause) => {
      clearTimeout(calming);
      failing.add(task);
      attempts += 1;
      onFailedAttempt?.();
      if (reported.has(toKind(cause))) return;
      reported.add(toKind(cause));
      onProblem('records wait for the chain; attempts are repeated, every 5 s at least', cause);
    },
    end: (task) => {
      if (failing.delete(task) && failing.size === 0 && !signal.aborted) calming = setTimeout(end, CALM_MS).unref();
    },
  };
};
