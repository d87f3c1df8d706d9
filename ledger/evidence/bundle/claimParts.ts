// Which parts an evidence file has. Every part must serve its claim: a part that proves nothing could be exchanged
// unseen.
import { assertReadable } from '../unreadableEvidence.ts';
import type { Bundle } from './bundle.ts';
import { type Claim, type ClaimOf, isMerged } from './claim.ts';
import { listMergedTenants, listRecordStreams, type MergedParts } from './mergedClaim.ts';

/** Records of a merged history, each of which has a proof of its place. */
const MERGED_RECORDS_MAX = 2_000;

/** How many of each the claim needs. */
interface Needs {
  /** Kinds of proofs in their order: one of these lists. */
  readonly proofs: readonly string[];
  readonly digests?: number;
  readonly records?: number;
  readonly leaves?: number;
}

type NeedsOf = { readonly [K in Claim['kind']]: (claim: ClaimOf<K>, bundle: Bundle) => Needs };

const times = (count: number, kind: string): string[] => Array.from({ length: count }, () => kind);

const countRecords = ({ parts, authors, own }: MergedParts): number =>
  [...parts, ...own].reduce((sum, { count }) => sum + count, authors.length);

// The places in a block need further logs where several tenants have records in it.
const toMergedNeeds = (claim: MergedParts, { proofs }: Bundle): Needs => {
  const records = countRecords(claim);
  assertReadable(records <= MERGED_RECORDS_MAX, `the claim has more than ${MERGED_RECORDS_MAX} records`);
  const logs = claim.parts.length + listMergedTenants(claim).length;
  const inBlocks = Math.max(0, Math.min(records, proofs.length - logs - records));
  return {
    proofs: [[...times(logs, 'log'), ...times(records, 'leaf'), ...times(inBlocks, 'log')].join(' ')],
    records,
    leaves: records,
  };
};

// The first record that has an effect, and the one before it.
const countEdges = (from: number): number => (from > 1 ? 2 : 1);

// A leaf proves one event, which may suffice. Further ones show which records have an effect.
const toVerdictNeeds = ({ policyCount, count, own }: ClaimOf<'verdict'>, { proofs }: Bundle): Needs => {
  const ofPolicy = own === undefined ? 0 : 1 + countEdges(own.policyFrom);
  const all =
    own === undefined ? ['log', 'log'] : ['log', 'log', 'log', ...times(ofPolicy + countEdges(own.from), 'leaf')];
  const alone = ['log', 'log', 'leaf', ...times(ofPolicy, 'leaf')];
  return {
    proofs: [all, ...(count === 1 ? [alone] : [])].map((kinds) => kinds.join(' ')),
    records: policyCount + count + (own?.count ?? 0),
    leaves: proofs.filter(({ kind }) => kind === 'leaf').length,
  };
};

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
  verdict: toVerdictNeeds,
  merged_history: (claim, bundle) =>
    claim.events === undefined
      ? { proofs: [times(claim.parts.length, 'log').join(' ')], digests: countRecords(claim) }
      : toMergedNeeds(claim, bundle),
  merged_verdict: toMergedNeeds,
};

const toNeeds = (bundle: Bundle): Needs => {
  const toNeedsOf = NEEDS[bundle.claim.kind] as (claim: Claim, bundle: Bundle) => Needs;
  return toNeedsOf(bundle.claim, bundle);
};

const assertBlocks = ({ blocks, proofs, account }: Bundle): void => {
  const used = new Set(proofs.flatMap((proof) => (proof.kind === 'log' ? [proof.block] : [])));
  if (account !== undefined) used.add(account.block);
  const isUsed = blocks.every((_, at) => used.delete(at)) && used.size === 0;
  assertReadable(isUsed, 'a block of the file proves nothing, or a proof names none');
};

// The proof of the tree of each leaf's tenant.
const listRoots = ({ claim, proofs }: Bundle): number[] => {
  if (!isMerged(claim)) {
    const root = proofs.findLastIndex(({ kind }) => kind === 'log');
    return proofs.map(() => root);
  }
  const tenants = listMergedTenants(claim);
  return listRecordStreams(claim).map(({ tenantIdentity }) => claim.parts.length + tenants.indexOf(tenantIdentity));
};

const assertRoots = (bundle: Bundle): void => {
  const leaves = bundle.proofs.filter((proof) => proof.kind === 'leaf');
  if (leaves.length === 0) return;
  const roots = listRoots(bundle);
  const isRooted = leaves.every(({ root }, at) => root === roots[at]);
  assertReadable(isRooted, 'a leaf names another proof than that of its tree');
};

/** @throws UnreadableEvidence unless the file has exactly the parts that its claim needs, and they name each other. */
export const assertParts = (bundle: Bundle): void => {
  const { proofs, digests = 0, records = 0, leaves = 0 } = toNeeds(bundle);
  const kinds = bundle.proofs.map(({ kind }) => kind).join(' ');
  assertReadable(proofs.includes(kinds), `the claim needs other proofs than ${kinds || 'none'}`);
  assertReadable(bundle.digests.length === digests, `the claim needs ${digests} digests`);
  assertReadable(bundle.records.length === records, `the claim needs ${records} records`);
  assertReadable(bundle.leaves.length === leaves, `the claim needs ${leaves} leaves`);
  assertBlocks(bundle);
  assertRoots(bundle);
};
