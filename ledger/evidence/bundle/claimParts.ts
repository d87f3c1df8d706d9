// Which parts an evidence file has. Every part must serve its claim: a part that proves nothing could be exchanged
// unseen.
import { assertReadable } from '../unreadableEvidence.ts';
import type { Bundle } from './bundle.ts';

/** How many of each the claim needs. */
interface Needs {
  /** Kinds of proofs in their order: one of these lists. */
  readonly proofs: readonly string[];
  readonly digests?: number;
  readonly records?: number;
  readonly leaves?: number;
}

const toNeeds = ({ claim, records }: Bundle): Needs => {
  if (claim.kind === 'event') return { proofs: ['log', 'log leaf'] };
  if (claim.kind === 'absence' || claim.kind === 'tenant') return { proofs: ['log'] };
  if (claim.kind === 'history') {
    return { proofs: ['log'], [records.length > 0 ? 'records' : 'digests']: claim.count };
  }
  const { from, to } = claim;
  const leaves = from > 1 ? 2 : 1;
  return { proofs: [from > 1 ? 'log leaf leaf' : 'log leaf'], records: to - from + 1, leaves };
};

/** @throws UnreadableEvidence unless the file has exactly the parts that its claim needs, and they name each other. */
export const assertParts = (bundle: Bundle): void => {
  const { proofs, digests = 0, records = 0, leaves = 0 } = toNeeds(bundle);
  const kinds = bundle.proofs.map(({ kind }) => kind).join(' ');
  assertReadable(proofs.includes(kinds), `the claim needs other proofs than ${kinds || 'none'}`);
  assertReadable(bundle.digests.length === digests, `the claim needs ${digests} digests`);
  assertReadable(bundle.records.length === records, `the claim needs ${records} records`);
  assertReadable(bundle.leaves.length === leaves, `the claim needs ${leaves} leaves`);
  const used = new Set(bundle.proofs.flatMap((proof) => (proof.kind === 'log' ? [proof.block] : [])));
  const isUsed = bundle.blocks.every((_, at) => used.delete(at)) && used.size === 0;
  assertReadable(isUsed, 'a block of the file proves nothing, or a proof names none');
  const isRooted = bundle.proofs.every((proof) => proof.kind === 'log' || bundle.proofs[proof.root]?.kind === 'log');
  assertReadable(isRooted, 'a leaf names no proof of a log');
};
