// Runs a check with the verifier, which is loaded when it is needed.
import type { CheckResult } from './checkFile.ts';

/** What a page shows of a check: that it runs, what it found, or why there is no answer. */
export interface CheckOutcome {
  readonly result?: CheckResult;
  readonly error?: Error;
  readonly isRunning?: boolean;
}

/** Checks a file, under the roots of a `trust.json` where one is given. Doesn't reject. */
export const runCheck = async (file: Blob, trust?: Blob): Promise<CheckOutcome> => {
  try {
    const { checkFile } = await import('./checkFile.ts');
    return { result: await checkFile(file, await trust?.text()) };
  } catch (error) {
    return { error: error as Error };
  }
};
