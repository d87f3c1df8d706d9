// Proofs of leaves of a tenant's tree, and of the attested tree that they are in, for evidence files.
import type { AttestedTree, TreeRecord, TreeView } from '../../indexer/treeView.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import { planInclusion, toProof } from '../../ledger/evidence/merkleProof.ts';
import { toNodeLookup } from '../../ledger/evidence/merkleTree.ts';
import type { Reach } from './coverage.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import type { FileProof } from './evidenceFile.ts';
import type { ProvenPlace } from './logProofs.ts';

/** An attested tree, and the proof of its log. */
export interface ProvenTree extends Pick<AttestedTree, 'size'> {
  readonly place: ProvenPlace;
}

/** Proves the newest attested tree within a reach that has a record; undefined where none has. */
export const proveTreeWith = async (
  { trees, logProofs }: Pick<EvidenceContext, 'trees' | 'logProofs'>,
  tenantKey: Uint8Array,
  { index }: TreeRecord,
  { untilBlock, head }: Reach,
): Promise<ProvenTree | undefined> => {
  const tree = await trees.readAttestedTree(tenantKey, untilBlock);
  if (tree === undefined || tree.size <= index) return undefined;
  return { size: tree.size, place: await logProofs.prove(tree, head) };
};

/**
 * Proves an attested tree within a reach that has a record: the newest one that another ledger's records cover, else
 * the newest one; undefined where none has.
 */
export const proveRecordedTree = async (
  context: Pick<EvidenceContext, 'trees' | 'logProofs' | 'readRecordedBlock'>,
  tenantKey: Uint8Array,
  record: TreeRecord,
  reach: Reach,
): Promise<ProvenTree | undefined> => {
  const untilBlock = Math.min(context.readRecordedBlock() ?? 0, reach.untilBlock);
  const recorded = untilBlock > 0 && (await proveTreeWith(context, tenantKey, record, { ...reach, untilBlock }));
  return recorded || proveTreeWith(context, tenantKey, record, reach);
};

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
  const path = toProof(plan, toNodeLookup(positions, await readNodes(tenantKey, positions))).map(toBase64);
  return { kind: 'leaf', root, index, path, sequence: leaf.sequence, head: toHex(leaf.head) };
};
