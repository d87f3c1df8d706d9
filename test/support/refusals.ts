// What a call refuses with. Tests assert codes, not sentences.
import { LedgerError } from '../../ledger/errors.ts';

/** The call went well: no code of the catalogue. */
export const NOT_REFUSED = 'NOT_REFUSED';

const toCode = (error: unknown): string => {
  if (error instanceof LedgerError) return error.code;
  throw error;
};

/** The code that the call throws; anything but a LedgerError is thrown on. */
export const codeOf = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    return toCode(error);
  }
  return NOT_REFUSED;
};

/** The code that the promise rejects with; anything but a LedgerError is thrown on. */
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
