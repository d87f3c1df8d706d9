// Pages of a list, newest first: the uncommitted records on top, then the index, from one snapshot.
import { fromHex, toHex } from '../ledger/hex.ts';
import * as keys from './keys.ts';
import type { Page, PageQuery } from './ledgerView.ts';
import type { Row } from './rows.ts';
import type { Snapshot } from './store.ts';
import type { UncommittedEvent } from './uncommitted.ts';

/** A list, in a snapshot, and what is not in that snapshot yet. */
export interface ListSource {
  readonly snapshot: Snapshot;
  readonly list: keys.ListId;
  /** The uncommitted records that belong to the list and are not in this snapshot of the index, newest first. */
  readonly uncommitted: readonly UncommittedEvent[];
}

/** How the two kinds of entries become items. */
export interface ListItems<T> {
  readonly toItem: (entry: UncommittedEvent) => T;
  /** Items of index entries, in their order. */
  readonly readItems: (entries: readonly [Buffer, Row][]) => T[];
}

// `next` names the last item shown: `u` and the sequence of an uncommitted record, or `p` and a position in the index.
type After = { readonly sequence: number } | { readonly position: Uint8Array } | undefined;

const parseAfter = (after: string | undefined): After => {
  if (after === undefined) return undefined;
  return after.startsWith('u') ? { sequence: Number(after.slice(1)) } : { position: fromHex(after.slice(1)) };
};

const takeUncommitted = (source: ListSource, after: After, limit: number): readonly UncommittedEvent[] => {
  if (after !== undefined && 'position' in after) return [];
  const older =
    after === undefined ? source.uncommitted : source.uncommitted.filter((e) => e.sequence < after.sequence);
  return older.slice(0, limit);
};

const toNext = (shown: readonly [Buffer, Row][], uncommitted: readonly UncommittedEvent[]): string => {
  const last = shown.at(-1);
  return last === undefined ? `u${uncommitted.at(-1)!.sequence}` : `p${toHex(keys.positionOf(last[0]))}`;
};

/** One page of the list. */
export const readPage = async <T>(source: ListSource, query: PageQuery, to: ListItems<T>): Promise<Page<T>> => {
  const after = parseAfter(query.after);
  const uncommitted = takeUncommitted(source, after, query.limit);
  const room = query.limit - uncommitted.length;
  const before = after !== undefined && 'position' in after ? after.position : undefined;
  // One entry more than there is room for tells whether another page follows.
  const entries = await source.snapshot.readLast(keys.listRange(source.list, before), room + 1);
  const shown = entries.slice(0, room);
  const count = (source.snapshot.read(keys.listCountKey(source.list)) as number | undefined) ?? 0;
  const isLast = entries.length <= room;
  return {
    items: [...uncommitted.map(to.toItem), ...to.readItems(shown)],
    next: isLast ? undefined : toNext(shown, uncommitted),
    total: count + source.uncommitted.length,
  };
};
