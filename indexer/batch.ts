// Gathers the changes of many records into the writes of one atomic step: each row, list chunk and page of columns is read once and written
// once, however many records of the batch touch it.
import { toChunk, toLow } from './bits.ts';
import type { Change, ColumnsChange, ListChange, ReadRow } from './changes.ts';
import { appendColumns, toColumnsPage, widenZone } from './columns.ts';
import * as keys from './keys.ts';
import { changePosting, encodePosting, openPosting, type Posting } from './postings.ts';
import type { Write } from './rows.ts';

/** The changes of a batch, and the rows as they stand after them. */
export interface Batch {
  /** A row as it is with the changes taken so far. */
  readonly read: ReadRow;
  take(changes: readonly Change[]): void;
  toWrites(): Write[];
}

interface OpenList {
  readonly key: Buffer;
  readonly posting: Posting;
}

const toName = (key: Uint8Array): string => Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');

// Rows as they stand: what was read, then what was written over it.
const createRows = (readStored: ReadRow) => {
  const rows = new Map<string, Write & { isChanged: boolean }>();
  return {
    read: (key: Buffer) => {
      const name = toName(key);
      const known = rows.get(name);
      if (known !== undefined) return known.value;
      const value = readStored(key);
      rows.set(name, { key, value, isChanged: false });
      return value;
    },
    write: ({ key, value }: Write): void => {
      rows.set(toName(key), { key, value, isChanged: true });
    },
    changed: (): Write[] =>
      [...rows.values()].filter(({ isChanged }) => isChanged).map(({ key, value }) => ({ key, value })),
  };
};

const createLists = (readStored: ReadRow) => {
  const lists = new Map<string, OpenList>();
  // The changes of one record share their tenant's key, so its text is made once for all of them.
  let tenant: { key: Uint8Array; name: string } | undefined;
  const open = ({ tenantKey, term }: ListChange, chunk: number): OpenList => {
    const key = keys.postingKey(tenantKey, term, chunk);
    return { key, posting: openPosting(readStored(key) as Uint8Array | undefined) };
  };
  return {
    change: (change: ListChange): void => {
      if (tenant?.key !== change.tenantKey) tenant = { key: change.tenantKey, name: toName(change.tenantKey) };
      const chunk = toChunk(change.number);
      const name = `${tenant.name}${chunk} ${change.term}`;
      let list = lists.get(name);
      if (list === undefined) {
        list = open(change, chunk);
        lists.set(name, list);
      }
      changePosting(list.posting, toLow(change.number), change.isIn);
    },
    changed: (): Write[] => [...lists.values()].map(({ key, posting }) => ({ key, value: encodePosting(posting) })),
  };
};

/** An empty batch over the rows that are stored. */
export const createBatch = (readStored: ReadRow): Batch => {
  const rows = createRows(readStored);
  const lists = createLists(readStored);
  const append = ({ tenantKey, number, columns }: ColumnsChange): void => {
    const page = keys.columnsKey(tenantKey, toColumnsPage(number));
    rows.write({ key: page, value: appendColumns(rows.read(page) as Uint8Array | undefined, number, columns) });
    const zone = keys.zoneKey(tenantKey, toChunk(number));
    rows.write({ key: zone, value: widenZone(rows.read(zone) as Uint8Array | undefined, columns) });
  };
  const takeOne = (change: Change): void => {
    if (change.kind === 'row') rows.write(change);
    else if (change.kind === 'list') lists.change(change);
    else append(change);
  };
  return {
    read: rows.read,
    take: (changes) => {
      for (const change of changes) takeOne(change);
    },
    toWrites: () => [...rows.changed(), ...lists.changed()],
  };
};
