// The version of a resource that was in effect at a time: the newest, in the order of the chain, of those that replaced
// the one before them and were accepted by then. Times of acceptance come from different servers' clocks, so they may
// be out of order.
import { toKey } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { isReplacing } from '../../ledger/records/version.ts';
import type { Snapshot } from '../snapshots.ts';
import { readStreamRecords } from './streamRecords.ts';
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
  const isVersion = (record: LedgerRecord): record is RecordOf<T> => record.type === type;
  for await (const { record } of readStreamRecords(snapshot, toKey(tenantIdentity), toKey(streamIdentity)))
    if (isVersion(record) && isReplacing(record, held)) take(record);
  for (const { record } of pending(withoutConflicts(uncommitted, held))) take(record);
  return found;
};
