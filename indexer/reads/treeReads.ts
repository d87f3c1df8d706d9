// Reads of the leaves of a tenant's tree and of their records.
import { fromHex } from '../../ledger/encoding/hex.ts';
import { decodeRecordLeaf } from '../../ledger/evidence/recordLeaf.ts';
import { createMissingRowError } from '../damage.ts';
import * as keys from '../keys.ts';
import { readLeafCount, readLeafRow } from '../projection/projectLeaf.ts';
import { type LeafPlace, leafDataOf, leafPlaceOf, leafRecordKeyOf } from '../rows/leafRow.ts';
import { decodePayloadRow, type Place } from '../rows/recordRow.ts';
import { decodeEventNumber, type Row } from '../rows/rows.ts';
import { leafKey, opaqueRecordKey } from '../treeKeys.ts';
import type { TreeRecord } from '../treeView.ts';

/** Reads rows, in the order of their keys. */
export type ReadRows = (keys: readonly Buffer[]) => Promise<readonly (Row | undefined)[]>;

const assertRows = (rows: readonly (Row | undefined)[], names: readonly Buffer[]): readonly Uint8Array[] => {
  const missing = rows.indexOf(undefined);
  if (missing >= 0) throw createMissingRowError(names[missing]!);
  return rows as readonly Uint8Array[];
};

// The rows of events have their own table, and those of what means nothing to the index, too.
const toRowKey = (tenantKey: Uint8Array, recordKey: Uint8Array, row: Row | undefined): Buffer | undefined => {
  if (row === undefined) return opaqueRecordKey(tenantKey, recordKey);
  const number = decodeEventNumber(row as Uint8Array);
  return number === undefined ? undefined : keys.memberKey(tenantKey, 'events', number);
};

// Rows of records by their keys; undefined for those that the index doesn't have.
const readRecordRows = async (
  readRows: ReadRows,
  tenantKey: Uint8Array,
  recordKeys: readonly Uint8Array[],
): Promise<readonly (Uint8Array | undefined)[]> => {
  const rows = await readRows(recordKeys.map((key) => keys.recordKey(tenantKey, key)));
  const others = rows.map((row, at) => toRowKey(tenantKey, recordKeys[at]!, row));
  const found = await readRows(others.filter((key) => key !== undefined));
  let next = 0;
  return rows.map((row, at) => (others[at] === undefined ? row : found[next++]) as Uint8Array | undefined);
};

const toTreeRecord = (index: number, leaf: Uint8Array, row: Uint8Array): TreeRecord => {
  const { place, payload } = decodePayloadRow(row)!;
  return {
    index,
    leaf: decodeRecordLeaf(leafDataOf(leaf)),
    recordKey: leafRecordKeyOf(leaf),
    place: leafPlaceOf(leaf),
    author: fromHex(place.author),
    payload,
  };
};

/**
 * The records of leaves.
 * @throws LedgerError INDEX_DAMAGED for a leaf without a row, or whose record has none.
 */
export const readTreeRecords = async (
  readRows: ReadRows,
  tenantKey: Uint8Array,
  indexes: readonly number[],
): Promise<TreeRecord[]> => {
  const leafKeys = indexes.map((index) => leafKey(tenantKey, index));
  const leaves = assertRows(await readRows(leafKeys), leafKeys);
  const recordKeys = leaves.map(leafRecordKeyOf);
  const found = await readRecordRows(readRows, tenantKey, recordKeys);
  const rows = assertRows(
    found,
    recordKeys.map((key) => keys.recordKey(tenantKey, key)),
  );
  return rows.map((row, at) => toTreeRecord(indexes[at]!, leaves[at]!, row));
};

const isBefore = (one: LeafPlace, other: Place): boolean =>
  one.blockNumber < other.blockNumber || (one.blockNumber === other.blockNumber && one.logIndex < other.logIndex);

// Leaves are in chain order, so the place of a record leads to its leaf.
const findLeaf = (read: (key: Buffer) => Row | undefined, tenantKey: Uint8Array, place: Place): number => {
  let [from, to] = [0, readLeafCount(read, tenantKey)];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (isBefore(leafPlaceOf(readLeafRow(read, tenantKey, middle)), place)) from = middle + 1;
    else to = middle;
  }
  return from;
};

/** The number of the leaf of a record; undefined if the index has no such record. */
export const findLeafIndex = async (
  read: (key: Buffer) => Row | undefined,
  tenantKey: Uint8Array,
  recordKey: Uint8Array,
): Promise<number | undefined> => {
  const [row] = await readRecordRows(async (names) => names.map(read), tenantKey, [recordKey]);
  return row && findLeaf(read, tenantKey, decodePayloadRow(row)!.place);
};
