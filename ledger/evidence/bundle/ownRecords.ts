// Which records of a verdict have an effect: those from the tenant's own record on (docs/evidence-format.md). Leaves of
// the tenant's tree are in the order of the chain, so the first record of a stream that has an effect, and the one
// before it, decide on all others.
import { advanceHead, EMPTY_HEAD } from '../../encoding/digest.ts';
import { toKey } from '../../identity.ts';
import { isSameBytes } from '../bytes.ts';
import type { DisclosedRecord, LeafProof } from './bundle.ts';
import type { OwnRecordClaim } from './claim.ts';
import { assertLeaf, type ProvenBundle, toDigests } from './claimChecks.ts';
import { assertProved } from './findings.ts';
import { findOwnPosition } from './judgedRecords.ts';

/** A record that has a leaf in the file. */
interface LeafRecord {
  readonly digest: Uint8Array;
  /** Position in its stream; undefined where the leaf alone says it. */
  readonly sequence?: number;
}

/**
 * The proofs of the first leaves of the file.
 * @param records whose leaves they are.
 * @throws Refuted when a leaf is that of another record, or isn't in the tenant's tree.
 */
export const requireLeaves = (
  proven: ProvenBundle,
  tenantIdentity: string,
  records: readonly LeafRecord[],
): LeafProof[] => {
  const { leaves, proofs } = proven.bundle;
  const ofLeaves = proofs.filter((proof): proof is LeafProof => proof.kind === 'leaf');
  return records.map(({ digest, sequence }, at) => {
    const [leaf, proof] = [leaves[at]!, ofLeaves[at]!];
    const isSame =
      leaf.sequence === proof.sequence && isSameBytes(leaf.head, proof.head) && isSameBytes(leaf.digest, digest);
    assertProved(isSame && sequence === (sequence && leaf.sequence), 'content', `leaf ${at} is that of another record`);
    assertLeaf(proven, proof, toKey(tenantIdentity), leaf);
    return proof;
  });
};

/** The records of a verdict that shows the tenant's own record. */
export interface OwnRecords {
  readonly tenantIdentity: string;
  readonly own: OwnRecordClaim;
  /** The first records of the tenant's own stream. */
  readonly ofTenant: readonly DisclosedRecord[];
  /** Digests of the records of the policy, and of the asset. */
  readonly ofPolicy: readonly Uint8Array[];
  readonly ofAsset: readonly Uint8Array[];
  /** Whether the file has one event of the asset alone. */
  readonly isAlone: boolean;
}

type EdgeRecord = LeafRecord & { readonly hasEffect: boolean };

const listEdges = (digests: readonly Uint8Array[], from: number): EdgeRecord[] =>
  [from - 1, from]
    .filter((sequence) => sequence > 0)
    .map((sequence) => ({ digest: digests[sequence - 1]!, sequence, hasEffect: sequence === from }));

// Without a gap from the first record on: none before it is the tenant's own.
const assertFirst = (
  { own, ofTenant, tenantIdentity }: OwnRecords,
  digests: readonly Uint8Array[],
  head: Uint8Array,
) => {
  const isFirst = findOwnPosition(ofTenant, tenantIdentity) === own.count;
  const isWhole = isSameBytes(head, digests.reduce(advanceHead, EMPTY_HEAD));
  assertProved(isFirst && isWhole, 'completeness', "the records of the tenant's stream don't end with its own record");
};

/** @throws Refuted unless exactly the records have an effect that the claim names. */
export const assertOwnRecords = (proven: ProvenBundle, records: OwnRecords): void => {
  const { tenantIdentity, own, ofTenant, ofPolicy, ofAsset, isAlone } = records;
  const digests = toDigests(proven.bundle, ofTenant, { tenantIdentity, streamIdentity: tenantIdentity });
  const alone = isAlone ? [{ digest: ofAsset[0]!, hasEffect: true }] : [];
  const edges = [...listEdges(ofPolicy, own.policyFrom), ...(isAlone ? [] : listEdges(ofAsset, own.from))];
  const ownRecord = { digest: digests.at(-1)!, sequence: own.count };
  const proofs = requireLeaves(proven, tenantIdentity, [...alone, ownRecord, ...edges]);
  const [ownProof] = proofs.splice(alone.length, 1);
  assertFirst(records, digests, ownProof!.head);
  const isAsClaimed = [...alone, ...edges].every(
    ({ hasEffect }, at) => hasEffect === proofs[at]!.index > ownProof!.index,
  );
  assertProved(isAsClaimed, 'completeness', "other records are from before the tenant's own record");
};
