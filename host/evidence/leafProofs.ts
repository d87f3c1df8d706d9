// Proofs of leaves of a tenant's tree, for evidence files.
import type { TreeRecord, TreeView } from '../../indexer/treeView.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import { planInclusion, toProof } from '../../ledger/evidence/merkleProof.ts';
import type { NodePosition } from '../../ledger/evidence/merkleTree.ts';
import type { FileProof } from './evidenceFile.ts';

const toName = ({ level, index }: NodePosition): string => `${level}/${index}`;

/**
 * Proves that a record is in the tenant's tree of this size.
 * @param root index in the file of the proof of the log with the tree's root.
 */
export const proveLeaf = async (
  { readNodes }: Pick<TreeView, 'readNodes'>,
  tenantKey: Uint8Array,
  { index, leaf }: TreeRecord,
  { size, root }: { readonly size: number; readonly root: number },
): Promise<FileProof> => {
  const plan = planInclusion(index, size);
  const positions = plan.flat();
  const hashes = await readNodes(tenantKey, positions);
  const byName = new Map(positions.map((position, at) => [toName(position), hashes[at]!]));
  const path = toProof(plan, (position) => byName.get(toName(position))!).map(toBase64);
  return { kind: 'leaf', root, index, path, sequence: leaf.sequence, head: toHex(leaf.head) };
};
