// Stands in for chain/embedded/collectAnswers.ts: the simulated engine keeps no traces that must be freed.

/** Frees nothing. */
export const collectAnswers = async (): Promise<void> => undefined;

/** Counts nothing. */
export const createTraceCollector = (_collect?: unknown) => ({
  add: async (_gas: number, _options: { isUrgent?: boolean } = {}): Promise<void> => undefined,
});
