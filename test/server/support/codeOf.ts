// Reads the error code of a rejected promise.
import { LedgerError, type LedgerErrorCode } from '../../../ledger/errors.ts';

/** The code of the refusal; undefined when there is none. Rejects with any other error. */
export const codeOf = async (promise: Promise<unknown>): Promise<LedgerErrorCode | undefined> => {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (error instanceof LedgerError) return error.code;
    throw error;
  }
};
