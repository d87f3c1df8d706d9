// Proofs of the places of records, for files of assets with contributions.
import { setImmediate } from 'node:timers/promises';
import type { TreeRecord } from '../../indexer/treeView.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toKey } from '../../ledger/identity.ts';
import { refusePending } from './coverage.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import { type FileParts, type FileProof, refuseLargeFile } from './evidenceFile.ts';
import { proveLeaf } from './leafProofs.ts';
import type { ProvenPlace } from './logProofs.ts';
import type { Covered } from './mergedCoverage.ts';
import type { MergedRecord } from './mergedStreams.ts';

/** What a verifier reads. */
const BLOCKS_MAX = 64;
/** Some 5 ms. */
const LEAVES_BETWEEN_PAUSES = 50;

/** Proofs with their blocks, each once. @throws LedgerError EVIDENCE_TOO_LARGE for more blocks than are read. */
export const placeTogether = (places: readonly ProvenPlace[]): Pick<FileParts, 'blocks' | 'proofs'> => {
  const headers = new Map<string, number>();
  const blocks: ProvenPlace['block'][] = [];
  const proofs = places.map(({ block, proof }) => {
    const at = headers.get(block.header) ?? blocks.push(block) - 1;
    headers.set(block.header, at);
    return { ...proof, block: at };
  });
  if (blocks.length > BLOCKS_MAX) throw refuseLargeFile();
  return { blocks, proofs };
};

/**
 * A proof of each record's leaf in the tree of its tenant.
 * @throws LedgerError EVIDENCE_PENDING when a tree doesn't have the record.
 */
export const proveLeaves = async (
  context: EvidenceContext,
  sources: readonly MergedRecord[],
  { parts, trees }: Covered,
): Promise<FileProof[]> => {
  const tenants = [...new Set(parts.map(({ stream }) => stream.tenantIdentity))];
  const proofs: FileProof[] = [];
  for (const [at, { tenantIdentity, tree }] of sources.entries()) {
    if (at % LEAVES_BETWEEN_PAUSES === 0) await setImmediate();
    const tenantAt = tenants.indexOf(tenantIdentity);
    const { size } = trees[tenantAt]!.tree;
    if (size <= tree.index) throw refusePending();
    const root = parts.length + tenantAt;
    proofs.push(await proveLeaf(context.trees, toKey(tenantIdentity), tree, { size, root }));
  }
  return proofs;
};

const toTransaction = ({ place }: TreeRecord): string => `${place.blockNumber}/${place.transactionIndex}`;

/**
 * Proofs of the own logs of records in blocks in which several tenants have some.
 * @throws LedgerError RECORD_NOT_ALONE when a receipt shows a record that the file doesn't have.
 */
export const proveShared = async (
  { logProofs }: EvidenceContext,
  sources: readonly MergedRecord[],
  { head }: Covered,
): Promise<ProvenPlace[]> => {
  const byBlock = Map.groupBy(sources, ({ tree }) => tree.leaf.blockNumber);
  const byTransaction = Map.groupBy(sources, ({ tree }) => toTransaction(tree));
  const places: ProvenPlace[] = [];
  for (const { tree } of sources) {
    const tenants = byBlock.get(tree.leaf.blockNumber)!.map(({ tenantIdentity }) => tenantIdentity);
    if (new Set(tenants).size === 1) continue;
    const known = byTransaction.get(toTransaction(tree))!.length;
    if ((await logProofs.countLogs(tree.place)) !== known) throw new LedgerError('RECORD_NOT_ALONE');
    places.push(await logProofs.prove(tree.place, head));
  }
  return places;
};
