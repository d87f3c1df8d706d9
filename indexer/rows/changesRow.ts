// The row that counts changes of one kind and names the last ones: what was computed at an earlier count is brought up
// to date by looking at these alone.

/** How often something changed, and what changed last, the newest at the end. */
export interface ChangesRow<T> {
  readonly count: number;
  readonly newest: readonly T[];
}

/** So many changes are named. */
const NEWEST_MAX = 16;

/** The row after one more change. */
export const addChange = <T>(row: ChangesRow<T> | undefined, changed: T): ChangesRow<T> => ({
  count: (row?.count ?? 0) + 1,
  newest: [...(row?.newest ?? []), changed].slice(-NEWEST_MAX),
});

/** What changed since an earlier count; undefined if the row doesn't name all of it, and for a later count. */
export const changedSince = <T>(row: ChangesRow<T> | undefined, count: number): readonly T[] | undefined => {
  const changes = (row?.count ?? 0) - count;
  if (row === undefined || changes < 0 || changes > row.newest.length) return changes === 0 ? [] : undefined;
  return row.newest.slice(row.newest.length - changes);
};
