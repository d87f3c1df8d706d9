// The lists that clients read, each with the orders that it has.
import type { ListQuery } from './history.ts';

/** One kind of list. */
export interface ListKind extends Pick<ListQuery, 'list'> {
  /** Whether it is the list of one asset. */
  readonly ofAsset: boolean;
  readonly orders: readonly string[];
}

/** The kinds of lists. */
export const LISTS: readonly ListKind[] = [
  { list: 'events', ofAsset: true, orders: ['DEFAULT', 'SIMPLEHASHV2'] },
  { list: 'events', ofAsset: false, orders: ['DEFAULT', 'SIMPLEHASHV2'] },
  { list: 'assets', ofAsset: false, orders: ['DEFAULT', 'SIMPLEHASHV2'] },
  { list: 'locations', ofAsset: false, orders: ['DEFAULT', 'DISPLAY_NAME'] },
];
