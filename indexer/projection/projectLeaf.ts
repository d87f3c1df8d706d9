// The projection of a record to a leaf of its tenant's tree, whatever its payload is.
import type { RecordLog } from '../../chain/port.ts';
import { hashLeaf, hashNode, toPeakPositions, toRootOfPeaks } from '../../ledger/evidence/merkleTree.ts';
import { createMissingRowError } from '../damage.ts';
import { encodeLeafIndex, encodeLeafRow, lastLeafOf, leafDataOf, nodeOf, setNode } from '../rows/leafRow.ts';
import { leafKey, streamLeafKey, treeKey } from '../treeKeys.ts';
import { type Change, type ReadRow, row } from './changes.ts';

/** The keys of a record. */
export interface LeafKeys {
  readonly tenantKey: Uint8Array;
  readonly streamKey: Uint8Array;
  readonly recordKey: Uint8Array;
}

/** The number of leaves of a tenant's tree. */
export const readLeafCount = (read: ReadRow, tenantKey: Uint8Array): number =>
  (read(treeKey(tenantKey)) as number | undefined) ?? 0;

/**
 * The row of a leaf.
 * @throws LedgerError INDEX_DAMAGED if there is none.
 */
export const readLeafRow = (read: ReadRow, tenantKey: Uint8Array, index: number): Uint8Array => {
  const key = leafKey(tenantKey, index);
  const leaf = read(key);
  if (leaf === undefined) throw createMissingRowError(key);
  return leaf as Uint8Array;
};

/** The root of a tenant's tree. */
export const readTreeRoot = (read: ReadRow, tenantKey: Uint8Array): Uint8Array => {
  const peaks = toPeakPositions(readLeafCount(read, tenantKey));
  return toRootOfPeaks(peaks.map((peak) => nodeOf(readLeafRow(read, tenantKey, lastLeafOf(peak)), peak.level)));
};

// A leaf completes a subtree for each 1 at the end of its number's binary form.
const countCompleted = (index: number): number => {
  let levels = 0;
  for (let rest = index; rest % 2 === 1; rest = (rest - 1) / 2) levels += 1;
  return levels;
};

/** The changes of the index for the leaf of a record. */
export const projectLeaf = (log: RecordLog, { tenantKey, streamKey, recordKey }: LeafKeys, read: ReadRow): Change[] => {
  const index = readLeafCount(read, tenantKey);
  const levels = countCompleted(index);
  const leaf = encodeLeafRow(log, recordKey, levels);
  let hash = levels === 0 ? undefined : hashLeaf(leafDataOf(leaf));
  for (let level = 0; level < levels; level += 1) {
    const left = readLeafRow(read, tenantKey, index - 2 ** level);
    hash = hashNode(nodeOf(left, level), hash!);
    setNode(leaf, level + 1, hash);
  }
  return [
    row(leafKey(tenantKey, index), leaf),
    row(streamLeafKey(tenantKey, streamKey, log.sequence), encodeLeafIndex(index)),
    row(treeKey(tenantKey), index + 1),
  ];
};
