// What an operator reads on standard error about a running ledger.

/** Prints a problem that the operator should know of, with the message of its cause. */
export const reportProblem = (message: string, cause?: unknown): void =>
  console.error(cause === undefined ? message : `${message}: ${(cause as Error).message}`);

/** Prints an unexpected error, of which the client got only a 500 without details. */
export const reportUnexpected = (error: unknown, requestId?: string): void =>
  console.error(requestId === undefined ? 'unexpected error:' : `unexpected error in request ${requestId}:`, error);
