// The records of one stream of the index, in the order of the chain. Bytes that are no record are left out, and so is
// what was recorded before the tenant's own record: it has no effect in the index.
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { isOwnRecord } from '../../ledger/tenancy/ownRecord.ts';
import * as keys from '../keys.ts';
import { decodeLeafIndex, leafPlaceOf, leafRecordKeyOf } from '../rows/leafRow.ts';
import { decodeRecord } from '../rows/recordRow.ts';
import type { Snapshot } from '../snapshots.ts';
import { leafKey, streamLeafRange } from '../treeKeys.ts';

const POSITIONS_MAX = 2 ** 32 - 1;
/** Records that are read at once. */
const AT_ONCE = 512;
/** Records that are read at once where one of the first is needed. */
export const FIRST_AT_ONCE = 16;

/** A record of a stream, and the number of its block. */
export interface StreamRecord {
  readonly record: LedgerRecord;
  readonly blockNumber: number;
}

interface LeafRecord extends StreamRecord {
  /** Its number among all records of the tenant. */
  readonly leafIndex: number;
}

const readSome = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  indexes: readonly number[],
): Promise<LeafRecord[]> => {
  const leaves = (await snapshot.readMany(indexes.map((index) => leafKey(tenantKey, index)))) as Uint8Array[];
  const rows = await snapshot.readMany(leaves.map((leaf) => keys.recordKey(tenantKey, leafRecordKeyOf(leaf))));
  return rows.flatMap((row, at) => {
    const { blockNumber } = leafPlaceOf(leaves[at]!);
    const leafIndex = indexes[at]!;
    return row === undefined ? [] : [{ record: decodeRecord(row as Uint8Array), blockNumber, leafIndex }];
  });
};

async function* readAll(
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  streamKey: Uint8Array,
  atOnce: number,
): AsyncGenerator<LeafRecord> {
  for (let from = 1; ; from += atOnce) {
    const entries = await snapshot.readFirst(streamLeafRange(tenantKey, streamKey, from, POSITIONS_MAX), atOnce);
    const indexes = entries.map(([, index]) => decodeLeafIndex(index as Uint8Array));
    yield* await readSome(snapshot, tenantKey, indexes);
    if (entries.length < atOnce) return;
  }
}

/** The number of the tenant's own record among all of its records; infinite where there is none. */
export const findOwnRecord = async (snapshot: Snapshot, tenantKey: Uint8Array): Promise<number> => {
  for await (const { record, leafIndex } of readAll(snapshot, tenantKey, tenantKey, FIRST_AT_ONCE))
    if (isOwnRecord(record)) return leafIndex;
  return Number.POSITIVE_INFINITY;
};

/** The records of a stream that is not an asset's, oldest first. `atOnce`: those that are read at once. */
export async function* readStreamRecords(
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  streamKey: Uint8Array,
  atOnce = AT_ONCE,
): AsyncGenerator<StreamRecord> {
  const begin = await findOwnRecord(snapshot, tenantKey);
  for await (const { leafIndex, ...record } of readAll(snapshot, tenantKey, streamKey, atOnce))
    if (leafIndex >= begin) yield record;
}
