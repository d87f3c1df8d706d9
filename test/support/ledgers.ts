// The state of a server at one moment of a history: a part in the index, a part in the outbox, and records in transit
// in both.
import fc from 'fast-check';
import type { UncommittedRecord } from '../../indexer/reads/uncommitted.ts';
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import { FAILURE_REASONS } from '../../ledger/records/commitment.ts';
import { isCreation } from '../../ledger/records/event.ts';
import { historiesOf, type Words } from './histories.ts';
import type { NaiveLog } from './naiveContributions.ts';
import { toRecordLog, type WrittenRecord } from './recordLogs.ts';
import { ALPHA } from './records.ts';

export interface LedgerMoment {
  readonly logs: readonly NaiveLog[];
  readonly outbox: readonly UncommittedRecord[];
}

const tenantOf = ({ tenantIdentity = ALPHA }: WrittenRecord): string => tenantIdentity;

/** The log of the record at this position of a history; each block has two. */
export const toNaiveLog = (written: WrittenRecord, at: number): NaiveLog => ({
  tenantIdentity: tenantOf(written),
  log: toRecordLog(written, 1 + Math.floor(at / 2), at % 2),
});

interface Known {
  readonly tenants: Set<string>;
  readonly streams: Set<string>;
}

// Whether a server accepts the record. It must be of an existing tenant, and an event on an existing asset, the
// creation of a new one, the first version of a blob, or any version of another resource.
const isTaken = (written: WrittenRecord, { tenants, streams }: Known): boolean => {
  const { record, changed } = written;
  const isThere = streams.has(`${tenantOf(written)} ${toStreamIdentityOf(record)}`);
  if (!tenants.has(tenantOf(written)) || changed?.payload !== undefined) return false;
  if (record.type === 'event') return isThere !== isCreation(record);
  return record.type !== 'blob' || !isThere;
};

const learn = (known: Known, written: WrittenRecord): void => {
  known.streams.add(`${tenantOf(written)} ${toStreamIdentityOf(written.record)}`);
};

const isOwnTenant = (written: WrittenRecord): boolean =>
  written.record.type === 'tenant' &&
  written.changed?.payload === undefined &&
  // The first version that has an effect follows none.
  !written.record.follows &&
  toStreamIdentityOf(written.record) === tenantOf(written);

const toEntry = (written: WrittenRecord, sequence: number, status: UncommittedRecord['status']): UncommittedRecord => ({
  sequence,
  tenantIdentity: tenantOf(written),
  streamIdentity: toStreamIdentityOf(written.record),
  record: written.record,
  status,
  ...(status === 'FAILED' && { failureReason: FAILURE_REASONS[sequence % FAILURE_REASONS.length]! }),
});

/**
 * The moment at which the first `committed` records are in the index, and the last `inTransit` of these still in the
 * outbox too.
 */
const toMoment = (
  history: readonly WrittenRecord[],
  { committed, inTransit, isFailed }: { committed: number; inTransit: number; isFailed: (at: number) => boolean },
): LedgerMoment => {
  const known: Known = { tenants: new Set(), streams: new Set() };
  const outbox: UncommittedRecord[] = [];
  for (const [at, written] of history.entries()) {
    if (at < committed && isOwnTenant(written)) known.tenants.add(tenantOf(written));
    if (!isTaken(written, known)) continue;
    learn(known, written);
    const status = at >= committed && isFailed(at) ? 'FAILED' : 'PENDING';
    if (at >= committed - inTransit) outbox.push(toEntry(written, at + 1, status));
  }
  return { logs: history.slice(0, committed).map(toNaiveLog), outbox };
};

/** States at moments of histories of these words. */
export const momentsOf = (of: Words): fc.Arbitrary<LedgerMoment> =>
  fc
    .tuple(historiesOf(of), fc.nat(12), fc.nat(4), fc.array(fc.nat(3), { minLength: 64, maxLength: 64 }))
    .map(([history, uncommitted, inTransit, dice]) => {
      const committed = Math.max(0, history.length - uncommitted);
      return toMoment(history, { committed, inTransit, isFailed: (at) => dice[at] === 0 });
    });
