// The version of a resource that was in effect at a time: the newest, in the order of the chain, of those that replaced
// the one before them and were accepted by then. Times of acceptance come from different servers' clocks, so they may
// be out of order.
import { toKey } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { isReplacing } from '../../ledger/records/version.ts';
import type { Snapshot } from '../snapshots.ts';
import { FIRST_AT_ONCE, readStreamRecords } from './streamRecords.ts';
import { pending, type UncommittedRecord, withoutConflicts } from './uncommitted.ts';

/** The types of records of which the newest version holds. */
export type VersionType = Exclude<LedgerRecord['type'], 'event' | 'blob' | 'succession' | 'log_succession'>;

type RecordOf<T extends VersionType> = Extract<LedgerRecord, { type: T }>;

/** A resource: the type of its versions, its tenant and its stream. */
export interface VersionedResource<T extends VersionType> {
  readonly type: T;
  readonly tenantIdentity: string;
  readonly streamIdentity: string;
}

const isAccepted = ({ timestamp_accepted }: LedgerRecord, atMs: number): boolean =>
  Date.parse(timestamp_accepted) <= atMs;

/** A version that took effect, and the number of its block. */
export interface HeldVersion<T extends VersionType> {
  readonly record: RecordOf<T>;
  readonly blockNumber: number;
}

/** The versions of a stream of the index that took effect, oldest first: the only ones that any read shows. */
export async function* readHeldVersions<T extends VersionType>(
  snapshot: Snapshot,
  { type, tenantKey, streamKey }: { readonly type: T; readonly tenantKey: Uint8Array; readonly streamKey: Uint8Array },
  atOnce?: number,
): AsyncGenerator<HeldVersion<T>> {
  const isVersion = (record: LedgerRecord): record is RecordOf<T> => record.type === type;
  let held: RecordOf<T> | undefined;
  for await (const { record, blockNumber } of readStreamRecords(snapshot, tenantKey, streamKey, atOnce)) {
    if (!isVersion(record) || !isReplacing(record, held)) continue;
    held = record;
    yield { record, blockNumber };
  }
}

/** When the first version of a stream that took effect was accepted; undefined if none is in the index. */
export const readCreated = async (
  snapshot: Snapshot,
  { type, tenantIdentity, streamIdentity }: VersionedResource<VersionType>,
): Promise<string | undefined> => {
  const stream = { type, tenantKey: toKey(tenantIdentity), streamKey: toKey(streamIdentity) };
  for await (const { record } of readHeldVersions(snapshot, stream, FIRST_AT_ONCE)) return record.timestamp_accepted;
  return undefined;
};

/**
 * The version that was in effect at `atMs`, which may delete the resource; undefined if there was none yet.
 * `uncommitted`: the versions that the chain doesn't have, oldest first; none for a reader from another tenant.
 */
export const readVersionAt = async <T extends VersionType>(
  snapshot: Snapshot,
  { type, tenantIdentity, streamIdentity }: VersionedResource<T>,
  atMs: number,
  uncommitted: readonly UncommittedRecord<RecordOf<T>>[] = [],
): Promise<RecordOf<T> | undefined> => {
  let held: RecordOf<T> | undefined;
  let found: RecordOf<T> | undefined;
  const take = (record: RecordOf<T>): void => {
    held = record;
    if (isAccepted(record, atMs)) found = record;
  };
  const stream = { type, tenantKey: toKey(tenantIdentity), streamKey: toKey(streamIdentity) };
  for await (const { record } of readHeldVersions(snapshot, stream)) take(record);
  for (const { record } of pending(withoutConflicts(uncommitted, held))) take(record);
  return found;
};
