// Skips what this machine cannot check, and says why.

/** What this machine lacks for tests that were skipped in this process. */
export const missing = new Set<string>();

/**
 * Skips the tests of a hook's suite, or one test.
 * @param what what is missing and how to get it; the runner shows it once at the end, mocha alone at once
 */
export const skipWithout = (context: Mocha.Context, what: string): void => {
  if (!missing.has(what) && process.send === undefined) console.warn(`skipped: ${what}`);
  missing.add(what);
  context.skip();
};
