// Merges the changes of many records into the writes of one atomic step: each row, list chunk and column page is read
// once and written once, regardless of how many records of the batch change it.

import * as keys from '../keys.ts';
import { appendPackedEvent, decodePageHeader } from '../rows/policyPages.ts';
import type { Write } from '../rows/rows.ts';
import { createColumnChanges } from './batchColumns.ts';
import { createListChanges } from './batchLists.ts';
import type { Change, PolicyEventChange, ReadRow } from './changes.ts';
import { toTextHash } from './packedEvent.ts';

/** The changes of a batch, and the rows with these changes. */
export interface IndexBatch {
  /** Reads a row with the changes added so far. */
  readonly read: ReadRow;
  /** Adds the changes of one record. */
  add(changes: readonly Change[]): void;
  /** The writes that apply all changes. */
  toWrites(): Write[];
}

// Rows with the changes of the batch, each read from the store once.
const createRows = (readStored: ReadRow) => {
  const rows = new Map<string, Write & { isChanged: boolean }>();
  return {
    read: (key: Buffer) => {
      const name = keys.toKeyName(key);
      const known = rows.get(name);
      if (known !== undefined) return known.value;
      const value = readStored(key);
      rows.set(name, { key, value, isChanged: false });
      return value;
    },
    write: ({ key, value }: Write): void => {
      rows.set(keys.toKeyName(key), { key, value, isChanged: true });
    },
    toWrites: (): Write[] =>
      [...rows.values()].filter(({ isChanged }) => isChanged).map(({ key, value }) => ({ key, value })),
  };
};

/** Creates an empty batch on top of the stored rows. */
export const createIndexBatch = (readStored: ReadRow): IndexBatch => {
  const rows = createRows(readStored);
  const lists = createListChanges(readStored);
  const columns = createColumnChanges(readStored);
  const appendEvent = ({ tenantKey, streamKey, event }: PolicyEventChange): void => {
    const typeHash = toTextHash(event.displayType);
    const key = keys.policyHeadKey(tenantKey, streamKey, typeHash);
    const { head, full } = appendPackedEvent(rows.read(key) as Uint8Array | undefined, event, toTextHash);
    rows.write({ key, value: head });
    if (full === undefined) return;
    rows.write({ key: keys.policyPageKey(tenantKey, streamKey, typeHash, decodePageHeader(full)), value: full });
  };
  const addOne = (change: Change): void => {
    if (change.kind === 'row') rows.write(change);
    else if (change.kind === 'policyEvent') appendEvent(change);
    else if (change.kind === 'list') lists.add(change);
    else columns.add(change);
  };
  return {
    read: rows.read,
    add: (changes) => {
      for (const change of changes) addOne(change);
    },
    toWrites: () => [...rows.toWrites(), ...lists.toWrites(), ...columns.toWrites()],
  };
};
