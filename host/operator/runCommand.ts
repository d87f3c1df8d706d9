// How every command ends.
import { LedgerError } from '../../ledger/errors.ts';
import { thisProcess } from '../commandProcess.ts';
import { toErrorMessage } from '../watching/errorText.ts';
import { reportLine } from '../watching/reports.ts';

const toText = (error: unknown): string => {
  const message = toErrorMessage(error);
  return (error instanceof LedgerError ? `${error.code}: ${message}` : message).replaceAll('\n', ' ');
};

/**
 * Runs the task of a command and sets the exit code of this process: the number that the task resolves with, else 0. An
 * error is printed on standard error as one line that begins with `failure`, and the exit code is `failureCode`.
 */
export const runCommand = async (failure: string, task: () => Promise<unknown>, failureCode = 1): Promise<void> => {
  try {
    const code = await task();
    thisProcess().exitCode = typeof code === 'number' ? code : 0;
  } catch (error) {
    reportLine(`${failure}: ${toText(error)}`);
    thisProcess().exitCode = failureCode;
  }
};
