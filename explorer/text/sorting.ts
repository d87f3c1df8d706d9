// The order of a table: by the column that the address names, or the list's own.

interface SortedColumn<T> {
  readonly title: string;
  readonly sortBy?: (record: T) => string | number;
}

const collator = new Intl.Collator(undefined, { numeric: true });

const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : collator.compare(`${one}`, `${other}`);

/**
 * Records in the order that `sort` names: the title of a column, with a minus sign before it for the reverse. The same
 * array if it names none.
 */
export const sortRecords = <T>(
  records: readonly T[],
  columns: readonly SortedColumn<T>[],
  sort: string | null,
): readonly T[] => {
  const isReverse = sort?.startsWith('-') === true;
  const sortBy = columns.find(({ title }) => title === (isReverse ? sort.slice(1) : sort))?.sortBy;
  if (sortBy === undefined) return records;
  const sorted = records.toSorted((one, other) => compare(sortBy(one), sortBy(other)));
  return isReverse ? sorted.reverse() : sorted;
};

/** What a click on a column's title sorts by: it, then its reverse, then the list's own order (undefined). */
export const toNextSort = (title: string, sort: string | null): string | undefined => {
  if (sort === title) return `-${title}`;
  return sort === `-${title}` ? undefined : title;
};
