// Lists that the server answers in pages.

/** A page of a list. */
export interface ListedPage<T> {
  readonly records: readonly T[];
  /** Token of the next page; empty on the last one. */
  readonly next: string;
}

/** A list as far as it was read. */
export interface Whole<T> {
  readonly records: readonly T[];
  /** Whether the list goes on. */
  readonly isCut: boolean;
}

/** Most records that are read of a list which a page needs as a whole. The server's own limits are lower by default. */
const RECORDS_MAX = 5_000;

/** Reads a list from its first page, which `fetchPage` reads with an empty token, to its last. */
export const fetchWhole = async <T>(fetchPage: (pageToken: string) => Promise<ListedPage<T>>): Promise<Whole<T>> => {
  const records: T[] = [];
  let next = '';
  do {
    const page = await fetchPage(next);
    records.push(...page.records);
    next = page.next;
  } while (next !== '' && records.length < RECORDS_MAX);
  return { records, isCut: next !== '' };
};
