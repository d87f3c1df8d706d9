// Paths of leaves in trees that a test makes.
import { toBase64 } from '../../ledger/evidence/base64.ts';
import { planInclusion, toProof } from '../../ledger/evidence/merkleProof.ts';
import { EMPTY_FRONTIER, extendFrontier, type NodePosition } from '../../ledger/evidence/merkleTree.ts';

/** The path of a leaf's hash in the tree of these. */
export const toPath = (hashes: readonly Uint8Array[], index: number): string[] => {
  const nameOf = ({ level, index: at }: NodePosition): string => `${level}/${at}`;
  const nodes = new Map<string, Uint8Array>();
  extendFrontier(EMPTY_FRONTIER, hashes, (at, hash) => nodes.set(nameOf(at), hash));
  return toProof(planInclusion(index, hashes.length), (at) => nodes.get(nameOf(at))!).map(toBase64);
};
