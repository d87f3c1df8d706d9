// The records that may decide on the contributions to an asset: more than its file needs.
import { listAttached } from '../../ledger/evidence/bundle/mergedBlobs.ts';
import type { NamedStream } from '../../ledger/evidence/bundle/mergedClaim.ts';
import { toKey } from '../../ledger/identity.ts';
import type { OwnedAsset } from '../../ledger/sharing/mergedHistory.ts';
import { refuseLargeFile } from './evidenceFile.ts';
import {
  assertFits,
  createAllowance,
  type MergedRecord,
  type RecordBounds,
  readStream,
  type Trees,
} from './mergedStreams.ts';

/** Streams of a file that the verifiers read. */
export const PARTS_MAX = 64;
/** Bounds of what is kept of the owner's access policies and subjects, which a file needs a few of. */
export const OWNERS_BOUNDS: RecordBounds = { recordsMax: 20_000, bytesMax: 64 * 1024 * 1024 };

/** Everything that may decide on the contributions. */
export interface Candidates {
  /** Of the asset, and the contributions. */
  readonly base: readonly MergedRecord[];
  /** The contributions that the index counts. */
  readonly indexed: ReadonlySet<MergedRecord>;
  /** The owner's access policies, their subjects, and the blobs that contributions attach that count. */
  readonly owners: ReadonlyMap<string, readonly MergedRecord[]>;
  /** Identities of these blobs. */
  readonly blobs: readonly string[];
  /** Whether no access policy and no subject was left out. */
  readonly isComplete: boolean;
}

/** The contributions among records that the index counts. */
export const findIndexed = async (
  { trees }: Trees,
  records: readonly MergedRecord[],
): Promise<ReadonlySet<MergedRecord>> => {
  const found = new Set<MergedRecord>();
  for (const source of records) {
    if (source.record?.type !== 'contribution') continue;
    if (await trees.hasEffect(toKey(source.tenantIdentity), source.record.identity)) found.add(source);
  }
  return found;
};

/** Identities of the blobs that a contribution attaches. */
export const listContributedBlobs = ({ record }: MergedRecord): string[] =>
  record?.type === 'contribution' ? listAttached(record) : [];

const listGrantees = (records: readonly MergedRecord[]): string[] =>
  records.flatMap(({ record }) =>
    record?.type === 'access_policy'
      ? record.access_permissions.flatMap(({ subjects, behaviours }) => (behaviours.length > 0 ? subjects : []))
      : [],
  );

const readBase = async (context: Trees, streams: readonly NamedStream[]): Promise<MergedRecord[]> => {
  const base: MergedRecord[] = [];
  for (const stream of streams) {
    const found = await readStream(context, stream);
    if (found === undefined) throw refuseLargeFile();
    base.push(...found);
    assertFits(base);
  }
  return base;
};

// A stream that is too large for a file, or doesn't fit, is left out, because the file may not need it.
const readOwners = async (context: Trees, tenantIdentity: string, bounds: RecordBounds) => {
  const owners = new Map<string, readonly MergedRecord[]>();
  const isAllowed = createAllowance(bounds);
  let isComplete = true;
  const keep = async (
    streamIdentity: string,
    isNeeded: (found: readonly MergedRecord[]) => boolean,
  ): Promise<readonly MergedRecord[]> => {
    const found = await readStream(context, { tenantIdentity, streamIdentity });
    if (found !== undefined && !isNeeded(found)) return [];
    const isKept = found !== undefined && isAllowed(found.map(({ tree }) => tree));
    isComplete &&= isKept;
    if (isKept) owners.set(streamIdentity, found);
    return isKept ? found : [];
  };
  const subjects = new Set<string>();
  for (const policy of await context.trees.listAccessPolicies(toKey(tenantIdentity)))
    for (const subject of listGrantees(await keep(policy, (found) => listGrantees(found).length > 0)))
      subjects.add(subject);
  for (const subject of subjects) await keep(subject, () => true);
  return { owners, isComplete };
};

/**
 * Reads what may decide on contributions.
 * @param streams the asset's, and those of its contributions.
 * @param bounds of the owner's access policies and subjects; a stream that doesn't fit is left out.
 * @throws LedgerError EVIDENCE_TOO_LARGE for more than a file may have of what each file needs.
 */
export const readCandidates = async (
  context: Trees,
  { tenantIdentity }: OwnedAsset,
  streams: readonly NamedStream[],
  bounds: RecordBounds,
): Promise<Candidates> => {
  const base = await readBase(context, streams);
  const indexed = await findIndexed(context, base);
  const blobs = [...new Set([...indexed].flatMap(listContributedBlobs))];
  if (blobs.length >= PARTS_MAX) throw refuseLargeFile();
  const { owners, isComplete } = await readOwners(context, tenantIdentity, bounds);
  for (const streamIdentity of blobs) {
    const found = await readStream(context, { tenantIdentity, streamIdentity });
    if (found === undefined) throw refuseLargeFile();
    owners.set(streamIdentity, found);
  }
  return { base, indexed, owners, blobs, isComplete };
};
