/** The value below which this fraction of the values lies. `sorted`: ascending, not empty; `fraction`: 0 to 1. */
export const quantile = (sorted: readonly number[], fraction: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))]!;
