// Merges the changes of many records into the writes of one atomic step: each row, list chunk, column page and policy
// page is read once and written once, regardless of how many records of the batch change it.
import * as keys from '../keys.ts';
import type { Write } from '../rows/rows.ts';
import { createColumnChanges } from './batchColumns.ts';
import { createListChanges } from './batchLists.ts';
import { createPolicyPageChanges } from './batchPolicyPages.ts';
import type { Change, ReadRow } from './changes.ts';
import { createNewestLists, type NewestLists } from './newestLists.ts';

/** The changes of a batch, and the rows with these changes. */
export interface IndexBatch {
  /** Reads a row of the kind `row`, or of a record, with the changes added so far. */
  readonly read: ReadRow;
  /** Adds the changes of one record. */
  add(changes: readonly Change[]): void;
  /** The writes that apply all changes. */
  toWrites(): Write[];
}

// Rows with the changes of the batch, each read from the store once.
const createRows = (readStored: ReadRow) => {
  const rows = new Map<string, { key: Buffer; value: Write['value']; isChanged: boolean }>();
  return {
    read: (key: Buffer) => {
      const name = keys.toKeyName(key);
      const known = rows.get(name);
      if (known !== undefined) return known.value;
      const value = readStored(key);
      rows.set(name, { key, value, isChanged: false });
      return value;
    },
    write: (key: Buffer, value: Write['value']): void => {
      const name = keys.toKeyName(key);
      const known = rows.get(name);
      if (known === undefined) rows.set(name, { key, value, isChanged: true });
      else {
        known.value = value;
        known.isChanged = true;
      }
    },
    addWrites: (writes: Write[]): void => {
      for (const { key, value, isChanged } of rows.values()) if (isChanged) writes.push({ key, value });
    },
  };
};

// Rows that are rarely read: they get a map when one is.
const createUnread = (readStored: ReadRow) => {
  const writes: Write[] = [];
  const named = new Map<string, Write['value']>();
  let namedCount = 0;
  return {
    read: (key: Buffer) => {
      for (; namedCount < writes.length; namedCount += 1) {
        const write = writes[namedCount]!;
        named.set(keys.toKeyName(write.key), write.value);
      }
      return named.get(keys.toKeyName(key)) ?? readStored(key);
    },
    write: (write: Write): void => {
      writes.push(write);
    },
    all: (): Write[] => writes.map(({ key, value }) => ({ key, value })),
  };
};

/** Creates an empty batch on top of the stored rows. `newest`: what all batches of the index share. */
export const createIndexBatch = (readStored: ReadRow, newest: NewestLists = createNewestLists()): IndexBatch => {
  const unread = createUnread(readStored);
  const rows = createRows(readStored);
  const lists = createListChanges(readStored, newest);
  const columns = createColumnChanges(readStored);
  const policyPages = createPolicyPageChanges(readStored);
  const addOne = (change: Change): void => {
    if (change.kind === 'row') rows.write(change.key, change.value);
    else if (change.kind === 'unreadRow') unread.write(change);
    else if (change.kind === 'lists') lists.add(change);
    else if (change.kind === 'columns') columns.add(change);
    else policyPages.add(change);
  };
  return {
    read: (key) => (keys.recordKeyOf(key) === undefined ? rows.read(key) : unread.read(key)),
    add: (changes) => {
      for (const change of changes) addOne(change);
    },
    toWrites: () => {
      const writes = unread.all();
      for (const part of [rows, lists, columns, policyPages]) part.addWrites(writes);
      return writes;
    },
  };
};
