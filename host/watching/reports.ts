// What an operator reads on standard error.
import { console, thisProcess } from '../commandProcess.ts';
import { toErrorMessage, toErrorReport } from './errorText.ts';

/** Clears a line of progress that a terminal shows, from its beginning (ECMA-48: EL). */
const CLEAR_LINE = '\r\x1b[K';

/** Prints a line, in place of the progress that a terminal shows. */
export const reportLine = (text: string): void =>
  console.error(`${thisProcess().stderr.isTTY ? CLEAR_LINE : ''}${text}`);

/** Prints a problem that the operator should know of, with the message of its cause. */
export const reportProblem = (message: string, cause?: unknown): void =>
  reportLine(cause === undefined ? message : `${message}: ${toErrorMessage(cause)}`);

/** Prints an unexpected error, of which the client got only a 500 without details. Never throws. */
export const reportUnexpected = (error: unknown, requestId?: string): void =>
  reportLine(`unexpected error${requestId === undefined ? '' : ` in request ${requestId}`}: ${toErrorReport(error)}`);
