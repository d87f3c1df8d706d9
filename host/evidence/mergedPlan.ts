// Which streams the file of an asset with contributions needs: besides those of the asset, the access policies of the
// owner that grant what counts, their subjects, and the blobs that contributions attach.
import { setImmediate } from 'node:timers/promises';
import type { TreeRecord } from '../../indexer/treeView.ts';
import { attachedBlobs } from '../../ledger/assets/attachments.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { NamedStream } from '../../ledger/evidence/bundle/mergedClaim.ts';
import { toKey } from '../../ledger/identity.ts';
import type { AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import { decodeKeyedPayload, type LedgerRecord } from '../../ledger/records/record.ts';
import {
  createMerge,
  type MergedEvent,
  type OwnedAsset,
  type PlacedRecord,
} from '../../ledger/sharing/mergedHistory.ts';
import { toSubjectAddresses } from '../../ledger/sharing/subjectTenants.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import { refuseLargeFile } from './evidenceFile.ts';

/** What a verifier reads. */
export const MERGED_RECORDS_MAX = 2_000;
const PARTS_MAX = 64;
const PAGE_RECORDS = 100;
const RECORDS_BETWEEN_PAUSES = 20;
const BYTES_MAX = 12 * 1024 * 1024;
/** First records of a writer's tenant that are looked through for one by an account of a subject. */
const AUTHORS_READ = 16;

/** A record of the index for a merged history. */
export interface MergedRecord extends PlacedRecord {
  readonly stream: NamedStream;
  readonly tree: TreeRecord;
}

/** A record that shows its author alone. */
export interface AuthorRecord {
  readonly stream: NamedStream;
  readonly tree: TreeRecord;
}

/** What a file needs. */
export interface MergedPlan {
  /** The asset's stream first. */
  readonly streams: readonly NamedStream[];
  readonly authors: readonly AuthorRecord[];
}

type Trees = Pick<EvidenceContext, 'trees'>;

/** The stream of the contributions of each tenant that contributed to an asset. */
export const listContributions = async (
  { trees }: Trees,
  { tenantIdentity, assetIdentity }: OwnedAsset,
): Promise<NamedStream[]> => {
  const writers = await trees.readContributors(toKey(tenantIdentity), toKey(assetIdentity));
  return writers.map((writer) => ({ tenantIdentity: writer, streamIdentity: `${tenantIdentity}/${assetIdentity}` }));
};

/** @param isAuthor whether the record shows its author alone. */
export const toSource = (stream: NamedStream, tree: TreeRecord, isAuthor = false): MergedRecord => {
  const keys = { streamKey: toHex(toKey(stream.streamIdentity)), recordKey: toHex(tree.recordKey) };
  return {
    stream,
    tree,
    tenantIdentity: stream.tenantIdentity,
    author: toHex(tree.author),
    blockTimeSeconds: tree.leaf.blockTimeSeconds,
    record: isAuthor ? undefined : decodeKeyedPayload(tree.payload, keys),
  };
};

// The records in the order of the chain.
const inChainOrder = (records: readonly MergedRecord[]): MergedRecord[] =>
  records.toSorted(
    ({ tree: { place: one } }, { tree: { place: other } }) =>
      one.blockNumber - other.blockNumber || one.logIndex - other.logIndex,
  );

/**
 * The events of an asset, from records in any order. Pauses now and then: a contribution takes a millisecond where the
 * asset has many attributes.
 */
export const mergeInPauses = async (
  owned: OwnedAsset,
  records: readonly MergedRecord[],
): Promise<readonly MergedEvent<MergedRecord>[]> => {
  const merge = createMerge<MergedRecord>(owned);
  for (const [at, placed] of inChainOrder(records).entries()) {
    if (at % RECORDS_BETWEEN_PAUSES === 0) await setImmediate();
    merge.take(placed);
  }
  return merge.events;
};

/** Reads complete streams, as far as a file may have them. */
const createReader = ({ trees }: Trees) => {
  let [count, bytes] = [0, 0];
  const add = (page: readonly TreeRecord[]): void => {
    count += page.length;
    for (const { payload } of page) bytes += payload.length;
    if (count > MERGED_RECORDS_MAX || bytes > BYTES_MAX) throw refuseLargeFile();
  };
  return async (stream: NamedStream, isNeeded: (records: MergedRecord[]) => boolean = () => true) => {
    const found: MergedRecord[] = [];
    const [tenantKey, streamKey] = [toKey(stream.tenantIdentity), toKey(stream.streamIdentity)];
    for (let from = 1; ; from += PAGE_RECORDS) {
      const page = await trees.readStreamRecords(tenantKey, streamKey, from, from + PAGE_RECORDS - 1);
      found.push(...page.map((tree) => toSource(stream, tree)));
      if (page.length < PAGE_RECORDS || found.length > MERGED_RECORDS_MAX) break;
    }
    if (!isNeeded(found)) return [];
    add(found.map(({ tree }) => tree));
    return found;
  };
};

type ReadStream = ReturnType<typeof createReader>;

const isPolicy = (record: LedgerRecord | undefined): record is AccessPolicyRecord => record?.type === 'access_policy';

const listGrantees = (records: readonly MergedRecord[]): string[] =>
  records.flatMap(({ record }) =>
    isPolicy(record)
      ? record.access_permissions.flatMap(({ subjects, behaviours }) => (behaviours.length > 0 ? subjects : []))
      : [],
  );

const listAttached = (records: readonly MergedRecord[]): string[] =>
  records.flatMap(({ record }) =>
    record?.type === 'contribution'
      ? [...attachedBlobs(record.event_attributes), ...attachedBlobs(record.asset_attributes)]
      : [],
  );

const readOwners = async (
  read: ReadStream,
  tenantIdentity: string,
  identities: readonly string[],
): Promise<MergedRecord[]> => {
  const found: MergedRecord[] = [];
  for (const streamIdentity of new Set(identities)) found.push(...(await read({ tenantIdentity, streamIdentity })));
  return found;
};

/** Everything that may decide on the contributions. */
interface Candidates {
  readonly base: readonly MergedRecord[];
  /** Of policies, subjects and blobs of the owner. */
  readonly owners: readonly MergedRecord[];
  readonly blobs: readonly string[];
}

const readCandidates = async (
  context: Trees,
  { tenantIdentity }: OwnedAsset,
  streams: readonly NamedStream[],
): Promise<Candidates> => {
  const read = createReader(context);
  const base: MergedRecord[] = [];
  for (const stream of streams) base.push(...(await read(stream)));
  const policies: MergedRecord[] = [];
  for (const streamIdentity of await context.trees.listAccessPolicies(toKey(tenantIdentity)))
    policies.push(...(await read({ tenantIdentity, streamIdentity }, (found) => listGrantees(found).length > 0)));
  const subjects = await readOwners(read, tenantIdentity, listGrantees(policies));
  const blobs = [...new Set(listAttached(base))];
  return { base, owners: [...policies, ...subjects, ...(await readOwners(read, tenantIdentity, blobs))], blobs };
};

/** Whether a merged history counts exactly the contributions that the index counts. */
export const isAsIndexed = async (
  { trees }: Trees,
  records: readonly MergedRecord[],
  counted: ReadonlySet<MergedRecord>,
): Promise<boolean> => {
  for (const source of records) {
    if (source.record?.type !== 'contribution') continue;
    const hasEffect = await trees.hasEffect(toKey(source.tenantIdentity), source.record.identity);
    if (hasEffect !== counted.has(source)) return false;
  }
  return true;
};

// The first records of a writer's tenant are by the accounts that it began with, which subjects usually name.
const readAuthors = async ({ trees }: Trees, writers: readonly string[]): Promise<AuthorRecord[]> => {
  const found: AuthorRecord[] = [];
  for (const writer of writers) {
    const stream = { tenantIdentity: writer, streamIdentity: writer };
    const records = await trees.readStreamRecords(toKey(writer), toKey(writer), 1, AUTHORS_READ);
    const byAuthor = Map.groupBy(records, ({ author }) => toHex(author));
    found.push(...[...byAuthor.values()].map(([tree]) => ({ stream, tree: tree! })));
  }
  return found;
};

/** What a merged history used. */
interface Used {
  readonly policies: readonly string[];
  readonly subjects: readonly string[];
}

const replay = async (owned: OwnedAsset, { base, owners }: Candidates, authors: readonly AuthorRecord[]) => {
  const further = authors.map(({ stream, tree }) => toSource(stream, tree, true));
  const merged = await mergeInPauses(owned, [...base, ...owners, ...further]);
  const granted = merged.flatMap((event) => event.granted ?? []);
  const used: Used = {
    policies: [...new Set(granted.map(({ policy }) => policy))],
    subjects: [...new Set(granted.map(({ subject }) => subject))],
  };
  const counted = new Set(merged.filter((event) => event.granted).map(({ placed }) => placed));
  return { used, counted };
};

// Of the records of authors those that the subjects need, because no record of the streams is by the same account.
const selectAuthors = (
  { base, owners }: Candidates,
  { subjects }: Used,
  authors: readonly AuthorRecord[],
): AuthorRecord[] => {
  const addresses = new Set(
    owners.flatMap(({ record, stream }) =>
      record?.type === 'subject' && subjects.includes(stream.streamIdentity) ? [...toSubjectAddresses(record)] : [],
    ),
  );
  const first = new Set(base.filter(({ tree }) => tree.leaf.sequence === 1).map(({ author }) => author));
  return authors.filter(({ tree }) => addresses.has(toHex(tree.author)) && !first.has(toHex(tree.author)));
};

/**
 * Plans the file of an asset with contributions.
 * @throws LedgerError EVIDENCE_INCOMPLETE when no file can show what counts, EVIDENCE_TOO_LARGE beyond 2,000 records.
 */
export const planMerged = async (context: Trees, owned: OwnedAsset): Promise<MergedPlan> => {
  const { tenantIdentity, assetIdentity } = owned;
  const contributions = await listContributions(context, owned);
  const streams = [{ tenantIdentity, streamIdentity: assetIdentity }, ...contributions];
  const candidates = await readCandidates(context, owned, streams);
  const known = await readAuthors(
    context,
    contributions.map((stream) => stream.tenantIdentity),
  );
  for (const authors of [[], known]) {
    const { used, counted } = await replay(owned, candidates, authors);
    if (!(await isAsIndexed(context, candidates.base, counted))) continue;
    const owners = [...used.policies, ...used.subjects, ...candidates.blobs];
    const all = [...streams, ...owners.map((streamIdentity) => ({ tenantIdentity, streamIdentity }))];
    if (all.length >= PARTS_MAX) throw refuseLargeFile();
    return { streams: all, authors: selectAuthors(candidates, used, authors) };
  }
  throw new LedgerError('EVIDENCE_INCOMPLETE');
};
