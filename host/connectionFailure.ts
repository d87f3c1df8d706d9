// What a lost connection to a server is called.

/** One sentence for what `fetch`, or the body of its response, rejects with: the reason is in its cause. */
export const toConnectionFailure = (error: unknown): string => {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  return `the connection to the server failed: ${cause?.code ?? cause?.message ?? message}`;
};
