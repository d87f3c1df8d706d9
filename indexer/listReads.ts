// Pages of a list, newest first: the uncommitted records on top, then the index, from one snapshot.
import { fromHex, toHex } from '../ledger/hex.ts';
import * as keys from './keys.ts';
import type { Page, PageQuery } from './ledgerView.ts';
import { readRecordRows } from './recordReads.ts';
import type { Row } from './rows.ts';
import type { Snapshot } from './store.ts';
import type { UncommittedEvent } from './uncommitted.ts';

/** A list of a tenant, in a snapshot, and what is not in that snapshot yet. */
export interface ListSource {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
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

// What `next` says: which uncommitted records come next, those below a sequence; and which entries of the index, those before
// a position. Where no entry was shown yet, the last record shown says it: once committed, its entry is where to go on.
interface Next {
  readonly sequence: number;
  readonly identity: string;
  /** Hexadecimal; empty where no entry of the index was shown. */
  readonly position: string;
}

interface Start {
  readonly sequence: number;
  readonly before: Uint8Array | undefined;
}

const findPosition = ({ snapshot, tenantIdentity }: ListSource, identity: string): Uint8Array | undefined => {
  const commitment = readRecordRows(snapshot, [{ tenantIdentity, identity }])[0]?.commitment;
  return commitment && keys.toPosition(commitment.block_number, commitment.log_index);
};

const toStart = (source: ListSource, after: string | undefined): Start => {
  if (after === undefined) return { sequence: Number.POSITIVE_INFINITY, before: undefined };
  const { sequence, identity, position } = JSON.parse(after) as Next;
  return { sequence, before: position === '' ? findPosition(source, identity) : fromHex(position) };
};

const toNext = (start: Start, uncommitted: readonly UncommittedEvent[], shown: readonly [Buffer, Row][]): string => {
  const entry = shown.at(-1);
  const last = uncommitted.at(-1);
  const position = entry === undefined ? start.before : keys.positionOf(entry[0]);
  const next: Next = {
    sequence: entry === undefined && last !== undefined ? last.sequence : 0,
    identity: last?.record.identity ?? '',
    position: position === undefined ? '' : toHex(position),
  };
  return JSON.stringify(next);
};

/** One page of the list. */
export const readPage = async <T>(source: ListSource, query: PageQuery, to: ListItems<T>): Promise<Page<T>> => {
  const start = toStart(source, query.after);
  const older = source.uncommitted.filter(({ sequence }) => sequence < start.sequence);
  const uncommitted = older.slice(0, query.limit);
  const room = query.limit - uncommitted.length;
  // One entry more than there is room for tells whether another page follows.
  const entries = await source.snapshot.readLast(keys.listRange(source.list, start.before), room + 1);
  const shown = entries.slice(0, room);
  const count = (source.snapshot.read(keys.listCountKey(source.list)) as number | undefined) ?? 0;
  const isLast = uncommitted.length === older.length && entries.length <= room;
  return {
    items: [...uncommitted.map(to.toItem), ...to.readItems(shown)],
    next: isLast ? undefined : toNext(start, uncommitted, shown),
    total: count + source.uncommitted.length,
  };
};
