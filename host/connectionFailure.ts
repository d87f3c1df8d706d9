// What a lost connection to a server is called.

/** Why a connection was lost: the code of the system or the client, else what it says. */
export const toReason = (error: unknown): string => {
  const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? code ?? message;
};

/** One sentence for what `fetch`, or the body of its response, rejects with. */
export const toConnectionFailure = (error: unknown): string =>
  `the connection to the server failed: ${toReason(error)}`;
