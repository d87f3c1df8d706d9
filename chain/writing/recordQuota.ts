// Limits the bytes of records that a tenant may have accepted on one day (UTC): the embedded chain keeps each for its
// whole life. They are counted from the index and the outbox, so that a restart doesn't begin again, and in memory in
// between.
import { toDay, toDayStartMs } from '../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../ledger/errors.ts';

/** The quota of every tenant. */
export interface RecordQuota {
  /**
   * Counts a record of so many bytes.
   * @throws LedgerError RECORD_QUOTA_REACHED, with the time until the next day, when it would exceed the quota.
   */
  take(tenantIdentity: string, bytes: number): void;
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

interface Counted {
  readonly day: number;
  readonly readAtMs: number;
  bytes: number;
}

/** How long a count in memory holds, in milliseconds: it has records that were refused, and lacks those of others. */
const COUNT_MS = 60_000;
/** The same for one by which the quota is reached: reading it may cost a pass over the outbox. */
const REACHED_MS = 1_000;

/** A quota over what `readBytes` reads. */
export const createRecordQuota = ({ bytesMax, readBytes, now }: RecordQuotaOptions): RecordQuota => {
  const tenants = new Map<string, Counted>();
  const read = (tenantIdentity: string, nowMs: number, holdsMs: number): Counted => {
    const day = toDay(nowMs);
    const known = tenants.get(tenantIdentity);
    if (known?.day === day && Math.abs(nowMs - known.readAtMs) < holdsMs) return known;
    const counted = { day, readAtMs: nowMs, bytes: readBytes(tenantIdentity, day) };
    tenants.set(tenantIdentity, counted);
    return counted;
  };
  return {
    take: (tenantIdentity, bytes) => {
      if (bytesMax === 0) return;
      const nowMs = now();
      let counted = read(tenantIdentity, nowMs, COUNT_MS);
      if (counted.bytes + bytes > bytesMax) counted = read(tenantIdentity, nowMs, REACHED_MS);
      if (counted.bytes + bytes > bytesMax)
        throw new LedgerError('RECORD_QUOTA_REACHED', { retryAfterMs: toDayStartMs(counted.day + 1) - nowMs });
      counted.bytes += bytes;
    },
  };
};
