// The records of one stream of the index, in the order of the chain. Bytes that are no record are left out.
import type { LedgerRecord } from '../../ledger/records/record.ts';
import * as keys from '../keys.ts';
import { decodeLeafIndex, leafPlaceOf, leafRecordKeyOf } from '../rows/leafRow.ts';
import { decodeRecord } from '../rows/recordRow.ts';
import type { Snapshot } from '../snapshots.ts';
import { leafKey, streamLeafRange } from '../treeKeys.ts';

const POSITIONS_MAX = 2 ** 32 - 1;
/** Records that are read at once. */
const AT_ONCE = 512;

/** A record of a stream, and the number of its block. */
export interface StreamRecord {
  readonly record: LedgerRecord;
  readonly blockNumber: number;
}

const readSome = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  indexes: readonly Uint8Array[],
): Promise<StreamRecord[]> => {
  const leafKeys = indexes.map((index) => leafKey(tenantKey, decodeLeafIndex(index)));
  const leaves = (await snapshot.readMany(leafKeys)) as Uint8Array[];
  const rows = await snapshot.readMany(leaves.map((leaf) => keys.recordKey(tenantKey, leafRecordKeyOf(leaf))));
  return rows.flatMap((row, at) => {
    const { blockNumber } = leafPlaceOf(leaves[at]!);
    return row === undefined ? [] : [{ record: decodeRecord(row as Uint8Array), blockNumber }];
  });
};

/** The records of a stream that is not an asset's, oldest first. */
export async function* readStreamRecords(
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  streamKey: Uint8Array,
): AsyncGenerator<StreamRecord> {
  for (let from = 1; ; from += AT_ONCE) {
    const entries = await snapshot.readFirst(streamLeafRange(tenantKey, streamKey, from, POSITIONS_MAX), AT_ONCE);
    const indexes = entries.map(([, index]) => index as Uint8Array);
    yield* await readSome(snapshot, tenantKey, indexes);
    if (entries.length < AT_ONCE) return;
  }
}
