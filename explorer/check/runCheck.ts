// Runs a check with the verifier, which is loaded when it is needed.
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import { toQuotation } from '../text/quotation.ts';
import type { CheckResult } from './checkFile.ts';

/** What a page shows of a check: that it runs, what it found, or why there is no answer. */
export interface CheckOutcome {
  readonly result?: CheckResult;
  readonly error?: Error;
  readonly isRunning?: boolean;
}

type Verifier = typeof import('./checkFile.ts');

/** What came of a check. Doesn't reject. */
export const settle = async <R>(check: () => Promise<R>): Promise<{ result: R } | { error: Error }> => {
  try {
    return { result: await check() };
  } catch (error) {
    if (!(error instanceof UnreadableEvidence)) return { error: error as Error };
    return { error: new Error(`This can’t be checked: ${toQuotation(error.message)}.`, { cause: error }) };
  }
};

/** Runs a check of the verifier. Doesn't reject. */
export const runCheck = (check: (verifier: Verifier) => Promise<CheckResult>): Promise<CheckOutcome> =>
  settle(async () => check(await import('./checkFile.ts')));
