// Limits the bytes of records that a tenant may have accepted on one day (UTC): the embedded chain keeps each for its
// whole life. They are counted from the index and the outbox, so that a restart doesn't begin again, and in memory in
// between. The index counts by the times of blocks, which may be days ahead of the clock (a clock that was ahead, a
// chain with times of its own), so what this process accepted counts in any case.
import { toDay, toDayStartMs } from '../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';

/** Records that say who may do what: a leaked secret is revoked by one of them, also when the quota is reached. */
const RIGHTS: readonly LedgerRecord['type'][] = ['tenant', 'application', 'access_policy', 'subject'];
/**
 * Bytes beyond the quota that these may have, and bytes of them that each process accepts however far beyond it the
 * tenant is: an operator who lowers the quota would shut them out for the rest of the day. Only this process counts
 * those: the index has no count of them.
 */
const RIGHTS_BYTES = 2 ** 20;

/** The quota of every tenant. */
export interface RecordQuota {
  /**
   * Counts a record of so many bytes. Returns the function that gives them back, if the ledger never gets the record.
   * @throws LedgerError RECORD_QUOTA_REACHED, with the time until the next day, when it would exceed the quota.
   */
  take(tenantIdentity: string, type: LedgerRecord['type'], bytes: number): () => void;
}

/** Options of a quota. */
export interface RecordQuotaOptions {
  /** Bytes of one tenant and day; 0: no limit. */
  readonly bytesMax: number;
  /** Bytes of the tenant's records of a day that are in the ledger or on their way. */
  readonly readBytes: (tenantIdentity: string, day: number) => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Reading {
  readonly atMs: number;
  /** What was read, and what was taken since. */
  bytes: number;
}

interface Counted {
  readonly day: number;
  /** Bytes that this process took on this day. */
  own: number;
  /** Of these, bytes of records of rights. */
  ownRights: number;
  reading: Reading;
}

/** How long a reading holds, in milliseconds: it lacks the records of other servers. */
const READING_MS = 60_000;
/** The same for one by which the quota is reached: reading it may cost a pass over the outbox. */
const REACHED_MS = 1_000;

const usedOf = ({ own, reading }: Counted): number => Math.max(own, reading.bytes);

/** A quota over what `readBytes` reads. */
export const createRecordQuota = ({ bytesMax, readBytes, now }: RecordQuotaOptions): RecordQuota => {
  const tenants = new Map<string, Counted>();
  const read = (tenantIdentity: string, nowMs: number, holdsMs: number): Counted => {
    const day = toDay(nowMs);
    const known = tenants.get(tenantIdentity);
    if (known?.day === day && Math.abs(nowMs - known.reading.atMs) < holdsMs) return known;
    const reading = { atMs: nowMs, bytes: readBytes(tenantIdentity, day) };
    if (known?.day === day) {
      known.reading = reading;
      return known;
    }
    const counted: Counted = { day, own: 0, ownRights: 0, reading };
    tenants.set(tenantIdentity, counted);
    return counted;
  };
  const fits = (counted: Counted, bytes: number, isRight: boolean): boolean =>
    usedOf(counted) + bytes <= bytesMax + (isRight ? RIGHTS_BYTES : 0) ||
    (isRight && counted.ownRights + bytes <= RIGHTS_BYTES);
  const add = (counted: Counted, bytes: number, isRight: boolean): (() => void) => {
    const { reading } = counted;
    const rights = isRight ? bytes : 0;
    counted.own += bytes;
    counted.ownRights += rights;
    reading.bytes += bytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      counted.own -= bytes;
      counted.ownRights -= rights;
      reading.bytes -= bytes;
    };
  };
  return {
    take: (tenantIdentity, type, bytes) => {
      if (bytesMax === 0) return () => undefined;
      const nowMs = now();
      const isRight = RIGHTS.includes(type);
      let counted = read(tenantIdentity, nowMs, READING_MS);
      if (!fits(counted, bytes, isRight)) counted = read(tenantIdentity, nowMs, REACHED_MS);
      if (!fits(counted, bytes, isRight))
        throw new LedgerError('RECORD_QUOTA_REACHED', { retryAfterMs: toDayStartMs(counted.day + 1) - nowMs });
      return add(counted, bytes, isRight);
    },
  };
};
