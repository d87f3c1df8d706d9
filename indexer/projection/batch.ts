// Gathers the changes of many records into the writes of one atomic step: each row, list chunk and page of columns is read once and written
// once, however many records of the batch touch it.

import * as keys from '../keys.ts';
import { appendPackedEvent, decodePageHeader } from '../rows/policyPages.ts';
import type { Write } from '../rows/rows.ts';
import { createColumnChanges } from './batchColumns.ts';
import { createListChanges } from './batchLists.ts';
import type { Change, PolicyEventChange, ReadRow } from './changes.ts';
import { toTextHash } from './packedEvent.ts';

/** The changes of a batch, and the rows as they stand after them. */
export interface Batch {
  /** A row as it is with the changes taken so far. */
  readonly read: ReadRow;
  add(changes: readonly Change[]): void;
  toWrites(): Write[];
}

// Rows as they stand: what was read, then what was written over it.
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

/** An empty batch over the rows that are stored. */
export const createBatch = (readStored: ReadRow): Batch => {
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
