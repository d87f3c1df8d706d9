// Which parts an evidence file has. Every part must serve its claim: a part that proves nothing could be exchanged
// unseen.
import { assertReadable } from '../unreadableEvidence.ts';
import type { Bundle } from './bundle.ts';
import type { Claim, ClaimOf } from './claim.ts';

/** How many of each the claim needs. */
interface Needs {
  /** Kinds of proofs in their order: one of these lists. */
  readonly proofs: readonly string[];
  readonly digests?: number;
  readonly records?: number;
  readonly leaves?: number;
}

type NeedsOf = { readonly [K in Claim['kind']]: (claim: ClaimOf<K>, bundle: Bundle) => Needs };

const NEEDS: NeedsOf = {
  event: () => ({ proofs: ['log', 'log leaf'] }),
  history: ({ count }, { records }) => ({ proofs: ['log'], [records.length > 0 ? 'records' : 'digests']: count }),
  range: ({ from, to }) => ({
    proofs: [from > 1 ? 'log leaf leaf' : 'log leaf'],
    records: to - from + 1,
    leaves: from > 1 ? 2 : 1,
  }),
  absence: () => ({ proofs: ['log'] }),
  tenant: () => ({ proofs: ['log'] }),
  // A leaf proves one event, which may suffice.
  verdict: ({ policyCount, count }, { proofs }) => ({
    proofs: count === 1 ? ['log log', 'log log leaf'] : ['log log'],
    records: policyCount + count,
    leaves: proofs.length - 2,
  }),
};

const toNeeds = (bundle: Bundle): Needs => {
  const toNeedsOf = NEEDS[bundle.claim.kind] as (claim: Claim, bundle: Bundle) => Needs;
  return toNeedsOf(bundle.claim, bundle);
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
  if (bundle.account !== undefined) used.add(bundle.account.block);
  const isUsed = bundle.blocks.every((_, at) => used.delete(at)) && used.size === 0;
  assertReadable(isUsed, 'a block of the file proves nothing, or a proof names none');
  const root = bundle.proofs.findLastIndex(({ kind }) => kind === 'log');
  const isRooted = bundle.proofs.every((proof) => proof.kind === 'log' || proof.root === root);
  assertReadable(isRooted, 'a leaf names another proof than the last one of a log');
};
