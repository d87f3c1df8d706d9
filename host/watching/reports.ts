// What an operator reads on standard error.
import { console } from '../commandProcess.ts';
import { toErrorMessage, toErrorReport } from './errorText.ts';

/** Prints a line, in place of the progress that a terminal shows. */
export const reportLine = (text: string): void => console.error(text);

/** Prints a problem that the operator should know of, with the message of its cause. */
export const reportProblem = (message: string, cause?: unknown): void =>
  reportLine(cause === undefined ? message : `${message}: ${toErrorMessage(cause).replaceAll('\n', ' ')}`);

/** Prints an unexpected error, of which the client got only a 500 without details. Never throws. */
export const reportUnexpected = (error: unknown, requestId?: string): void =>
  console.error(
    ...`unexpected error${requestId === undefined ? '' : ` in request ${requestId}`}: ${toErrorReport(error)}`.split(
      '\n',
    ),
  );
