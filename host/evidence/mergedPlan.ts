// Which streams the file of an asset with contributions needs: besides those of the asset, the access policies of the
// owner that grant what counts, their subjects, and the blobs that decide.
import { setImmediate } from 'node:timers/promises';
import type { TreeRecord } from '../../indexer/treeView.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { NamedStream } from '../../ledger/evidence/bundle/mergedClaim.ts';
import { toKey } from '../../ledger/identity.ts';
import { createMerge, type MergedEvent, type OwnedAsset } from '../../ledger/sharing/mergedHistory.ts';
import { toSubjectAddresses } from '../../ledger/sharing/subjectTenants.ts';
import { refuseLargeFile } from './evidenceFile.ts';
import { type Candidates, listContributedBlobs, OWNERS_BOUNDS, PARTS_MAX, readCandidates } from './mergedCandidates.ts';
import {
  assertFits,
  listContributions,
  type MergedRecord,
  readStream,
  type Trees,
  toAuthorSource,
} from './mergedStreams.ts';

const RECORDS_BETWEEN_PAUSES = 20;
/** First records of a writer's tenant that are looked through for one by an account of a subject. */
const AUTHORS_READ = 16;
/** How often blobs of the owner are looked for that forbid what would count without them. */
const BLOB_ROUNDS = 8;

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

const comparePlaces = (
  { tree: { place: one } }: Pick<MergedRecord, 'tree'>,
  { tree: { place: other } }: Pick<MergedRecord, 'tree'>,
): number => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex;

/**
 * The events of an asset, from records in any order. Pauses now and then: a contribution takes a millisecond where the
 * asset has many attributes.
 */
export const mergeInPauses = async (
  owned: OwnedAsset,
  records: readonly MergedRecord[],
): Promise<readonly MergedEvent<MergedRecord>[]> => {
  const merge = createMerge<MergedRecord>(owned);
  for (const [at, placed] of records.toSorted(comparePlaces).entries()) {
    if (at % RECORDS_BETWEEN_PAUSES === 0) await setImmediate();
    merge.take(placed);
  }
  return merge.events;
};

/** Whether a merged history counts exactly the contributions that the index counts. */
export const isAsIndexed = (counted: ReadonlySet<MergedRecord>, indexed: ReadonlySet<MergedRecord>): boolean =>
  counted.size === indexed.size && [...counted].every((source) => indexed.has(source));

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

const replay = async (owned: OwnedAsset, records: readonly MergedRecord[], authors: readonly AuthorRecord[]) => {
  const further = authors.map(({ stream, tree }) => toAuthorSource(stream, tree));
  const merged = await mergeInPauses(owned, [...records, ...further]);
  const granted = merged.flatMap((event) => event.granted ?? []);
  const used: Used = {
    policies: [...new Set(granted.map(({ policy }) => policy))],
    subjects: [...new Set(granted.map(({ subject }) => subject))],
  };
  const counted = new Set(merged.filter((event) => event.granted).map(({ placed }) => placed));
  return { used, counted };
};

/** The owner's blobs that forbid contributions, with their records. */
type Forbidding = Map<string, readonly MergedRecord[]>;

// One blob of each contribution that would count without it. Others of these contributions decide nothing.
const addForbidding = async (
  context: Trees,
  { tenantIdentity }: OwnedAsset,
  refused: readonly MergedRecord[],
  known: Forbidding,
): Promise<void> => {
  for (const source of refused) {
    const isBefore = (found: MergedRecord): boolean =>
      found.record?.type === 'blob' && !found.isEarly && comparePlaces(found, source) < 0;
    for (const streamIdentity of listContributedBlobs(source).filter((blob) => !known.has(blob))) {
      const found = await readStream(context, { tenantIdentity, streamIdentity });
      if (found?.some(isBefore) !== true) continue;
      known.set(streamIdentity, found);
      break;
    }
  }
};

// The streams of the owner that lead to what the index counts; undefined if none do with these authors.
const findOwners = async (
  context: Trees,
  owned: OwnedAsset,
  { base, indexed, owners, blobs }: Candidates,
  authors: readonly AuthorRecord[],
) => {
  const forbidding: Forbidding = new Map();
  for (let round = 0; round < BLOB_ROUNDS; round += 1) {
    const all = new Map([...owners, ...forbidding]);
    const { used, counted } = await replay(owned, [...base, ...[...all.values()].flat()], authors);
    if (isAsIndexed(counted, indexed)) {
      const needed = [...used.policies, ...used.subjects, ...blobs, ...forbidding.keys()];
      return { used, needed: new Map(needed.map((name) => [name, all.get(name)!] as const)) };
    }
    const before = forbidding.size;
    const refused = [...counted].filter((source) => !indexed.has(source));
    await addForbidding(context, owned, refused, forbidding);
    if (forbidding.size === before) return undefined;
  }
  return undefined;
};

// Of the records of authors those that the subjects need, because no record of the streams is by the same account.
const selectAuthors = (
  base: readonly MergedRecord[],
  owners: readonly MergedRecord[],
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
 * @throws LedgerError EVIDENCE_INCOMPLETE when no file can show what counts, EVIDENCE_TOO_LARGE beyond 2,000 records,
 * 12 MiB of payloads or 63 streams.
 */
export const planMerged = async (context: Trees, owned: OwnedAsset, bounds = OWNERS_BOUNDS): Promise<MergedPlan> => {
  const { tenantIdentity, assetIdentity } = owned;
  const contributions = await listContributions(context, owned);
  const streams = [{ tenantIdentity, streamIdentity: assetIdentity }, ...contributions];
  const candidates = await readCandidates(context, owned, streams, bounds);
  const known = await readAuthors(
    context,
    contributions.map((stream) => stream.tenantIdentity),
  );
  for (const authors of [[], known]) {
    const found = await findOwners(context, owned, candidates, authors);
    if (found === undefined) continue;
    const owners = [...found.needed.values()].flat();
    const selected = selectAuthors(candidates.base, owners, found.used, authors);
    assertFits([...candidates.base, ...owners, ...selected]);
    const all = [...streams, ...[...found.needed.keys()].map((streamIdentity) => ({ tenantIdentity, streamIdentity }))];
    if (all.length >= PARTS_MAX) throw refuseLargeFile();
    return { streams: all, authors: selected };
  }
  throw candidates.isComplete ? new LedgerError('EVIDENCE_INCOMPLETE') : refuseLargeFile();
};
