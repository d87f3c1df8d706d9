// The evidence of a verdict: all records of the policy and of the asset, judged as the reader of the file judges them.
// Where one event of the asset is enough, the file has no other.
import { attestTree } from '../../chain/blockLog/attester.ts';
import type { TreeRecord } from '../../indexer/treeView.ts';
import type { Verdict } from '../../ledger/compliance/verdict.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { refuseField } from '../../ledger/errors.ts';
import { Refuted } from '../../ledger/evidence/bundle/findings.ts';
import { decodeEvents, findPolicy, judgeHistory, needsOneEvent } from '../../ledger/evidence/bundle/judgedRecords.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { toKey } from '../../ledger/identity.ts';
import { type EventRecord, isCreation } from '../../ledger/records/event.ts';
import type { PolicyRecord } from '../../ledger/records/policy.ts';
import type { VerdictQuery } from '../../server/evidenceSource.ts';
import type { Reach } from './coverage.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import { type FileParts, type FileProof, refuseLargeFile, toFileLeaves, toFileRecords } from './evidenceFile.ts';
import { collectRecords, findStream } from './historyEvidence.ts';
import { proveLeaf, proveTreeWith } from './leafProofs.ts';
import type { ProvenPlace } from './logProofs.ts';
import { isSameCounted, type JudgedRecords, readOwnRecords, toDisclosedRecord } from './ownRecords.ts';

/** They are judged without a pause: some 50 ms. */
const RECORDS_MAX = 2_000;

/** What the records of the policy and of the asset lead to. */
interface Judged {
  readonly compliant: boolean;
  /** The record that proves the verdict without any other of the asset; undefined where it needs all of them. */
  readonly sufficient: TreeRecord | undefined;
}

const findSufficient = (
  policy: PolicyRecord,
  { compliant, evidence }: Verdict<string>,
  events: readonly EventRecord[],
  ofAsset: readonly TreeRecord[],
): TreeRecord | undefined => {
  if (!compliant || !needsOneEvent(policy)) return undefined;
  // The last event of its type, which the verdict names. A creation is judged with the history only.
  const identity = evidence.events[0]?.event;
  const event = events.find((known) => known.identity === identity);
  if (event === undefined || isCreation(event)) return undefined;
  const key = toKey(event.identity);
  return ofAsset.find(({ recordKey }) => isSameBytes(recordKey, key));
};

const judge = ({ policyIdentity, assetIdentity, atMs }: VerdictQuery, { ofPolicy, ofAsset }: JudgedRecords): Judged => {
  try {
    const policy = findPolicy(ofPolicy.map(toDisclosedRecord), policyIdentity);
    const events = decodeEvents(ofAsset.map(toDisclosedRecord), assetIdentity);
    const verdict = judgeHistory(policy, events, atMs);
    return { compliant: verdict.compliant, sufficient: findSufficient(policy, verdict, events, ofAsset) };
  } catch (error) {
    // There is no verdict of this policy on this asset at this time.
    if (error instanceof Refuted) throw refuseField('REQUEST_INVALID', 'policy', error.message);
    throw error;
  }
};

const assertSmall = (count: number): void => {
  if (count > RECORDS_MAX) throw refuseLargeFile();
};

// What was committed by the time of the verdict must be in the records.
const isLater = ({ timeSeconds }: ProvenPlace, { atMs }: VerdictQuery): boolean =>
  timeSeconds >= Math.floor(atMs / 1_000);

interface ProvenHistory extends ProvenPlace {
  readonly records: readonly TreeRecord[];
}

// The complete streams of the policy and of the asset.
const proveHistories = async (context: EvidenceContext, query: VerdictQuery): Promise<ProvenHistory[]> => {
  const { tenantIdentity, policyIdentity, assetIdentity } = query;
  const tenantKey = toKey(tenantIdentity);
  const streams = [policyIdentity, assetIdentity].map((identity) => ({ tenantKey, streamKey: toKey(identity) }));
  const find = async (stream: (typeof streams)[number], reach: Reach) => {
    const attested = await findStream(context, stream, reach);
    if (attested === undefined) return undefined;
    const proven = await context.logProofs.prove(attested, reach.head);
    return isLater(proven, query) ? { stream, attested, proven } : undefined;
  };
  const asker = { tenantIdentity, isPublic: false };
  const names = streams.map(({ streamKey }) => toHex(streamKey));
  const attestation = { ...attestTree(toHex(tenantKey)), streams: names };
  const covered = await context.coverage.cover(asker, [attestation], async (reach) => {
    const found = await Promise.all(streams.map((stream) => find(stream, reach)));
    return found.includes(undefined) ? undefined : found.map((history) => history!);
  });
  const histories: ProvenHistory[] = [];
  for (const { stream, attested, proven } of covered) {
    assertSmall(attested.count);
    const wanted = { isDisclosed: true, head: attested.head, asker };
    const { records } = await collectRecords(context, stream, { from: 1, to: attested.count }, wanted);
    histories.push({ ...proven, records });
  }
  return histories;
};

interface ProvenLeaves {
  /** Of the log with the root of the tree. */
  readonly place: ProvenPlace;
  readonly proofs: readonly FileProof[];
}

/** Proves the leaves of records. `root`: index in the file of the proof of the log with the tree's root. */
const proveLeaves = async (
  context: EvidenceContext,
  query: VerdictQuery,
  records: readonly TreeRecord[],
  root: number,
): Promise<ProvenLeaves> => {
  const { tenantIdentity } = query;
  const tenantKey = toKey(tenantIdentity);
  const attestation = attestTree(toHex(tenantKey));
  const asker = { tenantIdentity, isPublic: false };
  const last = records.reduce((one, other) => (one.index > other.index ? one : other));
  const { size, place } = await context.coverage.cover(asker, [attestation], async (reach) => {
    const tree = await proveTreeWith(context, tenantKey, last, reach);
    return tree !== undefined && isLater(tree.place, query) ? tree : undefined;
  });
  const proofs: FileProof[] = [];
  for (const record of records) proofs.push(await proveLeaf(context.trees, tenantKey, record, { size, root }));
  return { place, proofs };
};

/** What shows which records have an effect. */
interface OwnPart {
  /** Members of the claim. */
  readonly claim: { readonly own_count: number; readonly policy_from: number; readonly from: number };
  /** The tenant's own record, and those of its stream before it. */
  readonly records: readonly TreeRecord[];
  /** Those whose leaves the file has. */
  readonly leaves: readonly TreeRecord[];
}

const EMPTY_PART = { claim: {}, records: [], leaves: [] } as const;

// The first one that has an effect, and the one before it.
const listEdges = (records: readonly TreeRecord[], from: number): TreeRecord[] =>
  records.slice(Math.max(0, from - 2), from);

const toOwnPart = (records: readonly TreeRecord[], { ofPolicy, ofAsset }: JudgedRecords, isAlone: boolean): OwnPart => {
  const own = records.at(-1)!;
  const [policyFrom, from] = [ofPolicy, ofAsset].map((all) => all.findIndex(({ index }) => index > own.index) + 1);
  return {
    claim: { own_count: records.length, policy_from: policyFrom!, from: isAlone ? 1 : from! },
    records,
    leaves: [own, ...listEdges(ofPolicy, policyFrom!), ...(isAlone ? [] : listEdges(ofAsset, from!))],
  };
};

const placeTogether = (places: readonly ProvenPlace[]): Pick<FileParts, 'blocks' | 'proofs'> => {
  const headers = [...new Set(places.map(({ block }) => block.header))];
  return {
    blocks: headers.map((header) => places.find(({ block }) => block.header === header)!.block),
    proofs: places.map(({ block, proof }) => ({ ...proof, block: headers.indexOf(block.header) })),
  };
};

const keepFrom = ({ ofPolicy, ofAsset, ...names }: JudgedRecords, begin: number): JudgedRecords => {
  const hasEffect = ({ index }: TreeRecord): boolean => index >= begin;
  return { ...names, ofPolicy: ofPolicy.filter(hasEffect), ofAsset: ofAsset.filter(hasEffect) };
};

/**
 * The parts of the file of a verdict on an asset under a policy: with all records of the asset, or with one event where
 * that proves it; and with the tenant's own record where those before it would make a difference. Rejects with
 * REQUEST_INVALID that names `policy` when the policy isn't about the asset, with EVIDENCE_TOO_LARGE beyond 2,000
 * records, and as `Coverage.cover` does.
 */
export const makeVerdictParts = async (context: EvidenceContext, query: VerdictQuery): Promise<FileParts> => {
  const { tenantIdentity, policyIdentity, assetIdentity, atMs } = query;
  const [policy, history] = (await proveHistories(context, query)) as [ProvenHistory, ProvenHistory];
  const all: JudgedRecords = { policyIdentity, assetIdentity, ofPolicy: policy.records, ofAsset: history.records };
  const begin = await context.trees.findOwnRecord(toKey(tenantIdentity));
  const effective = keepFrom(all, begin);
  const { compliant, sufficient } = judge(query, effective);
  const own = isSameCounted(all, effective)
    ? EMPTY_PART
    : toOwnPart(await readOwnRecords(context.trees, tenantIdentity, begin), all, sufficient !== undefined);
  const [ofAsset, places] = sufficient === undefined ? [all.ofAsset, [policy, history]] : [[sufficient], [policy]];
  const shown = [...(sufficient === undefined ? [] : [sufficient]), ...own.leaves];
  const leaves = shown.length === 0 ? undefined : await proveLeaves(context, query, shown, places.length);
  const { blocks, proofs } = placeTogether([...places, ...(leaves === undefined ? [] : [leaves.place])]);
  return {
    claim: {
      kind: 'verdict',
      policy_identity: policyIdentity,
      asset_identity: assetIdentity,
      tenant_identity: tenantIdentity,
      at: toTimestamp(atMs),
      compliant,
      policy_count: all.ofPolicy.length,
      count: ofAsset.length,
      ...own.claim,
    },
    records: await context.runSteps(toFileRecords([...all.ofPolicy, ...ofAsset, ...own.records])),
    ...(leaves === undefined ? {} : { leaves: toFileLeaves(shown.map(({ leaf }) => leaf)) }),
    blocks,
    proofs: [...proofs, ...(leaves?.proofs ?? [])],
  };
};
