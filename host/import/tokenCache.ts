// Keeps a token for some minutes, because an import sends many requests.

const KEPT_MS = 5 * 60_000;

/** A token that is kept until it is some minutes old or forgotten. */
export const createTokenCache = (issue: () => Promise<string>) => {
  let token = '';
  let issuedAtMs = Number.NEGATIVE_INFINITY;
  return {
    read: async (): Promise<string> => {
      if (performance.now() - issuedAtMs < KEPT_MS) return token;
      token = await issue();
      issuedAtMs = performance.now();
      return token;
    },
    forget: (): void => {
      issuedAtMs = Number.NEGATIVE_INFINITY;
    },
  };
};
