// The refusal of a call. Tests assert codes, not sentences.
import { LedgerError } from '../../ledger/errors.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';

/** The call succeeded. Not a code of the catalogue. */
export const NOT_REFUSED = 'NOT_REFUSED';

const toCode = (error: unknown): string => {
  if (error instanceof LedgerError || error instanceof UnreadableEvidence) return error.code;
  throw error;
};

/** The code that the call throws; any other error is rethrown. */
export const codeOf = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    return toCode(error);
  }
  return NOT_REFUSED;
};

/** The code that the promise rejects with; any other error is rethrown. */
export const rejectionOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    return toCode(error);
  }
  return NOT_REFUSED;
};

/** The fields that the call's refusal names. */
export const fieldsOf = (call: () => unknown): string[] => {
  try {
    call();
  } catch (error) {
    if (error instanceof LedgerError) return error.violations.map(({ field }) => field);
    throw error;
  }
  return [];
};

/** Whatever the promise rejects with; `NOT_REFUSED` if it resolves. For errors that have no code. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => NOT_REFUSED,
    (error: unknown) => error,
  );
