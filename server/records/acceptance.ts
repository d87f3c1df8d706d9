// Accepts records: gives each its time and its principal, and passes it to the writer in the same turn. No other code
// asks the clock for the time of a record, so no record can wait between its acceptance and the writer.
import type { RecordAppender } from '../../chain/port.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import type { Principal } from '../../ledger/principal.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import type { AcceptanceClock } from '../acceptanceClock.ts';
import type { CallerIdentity } from '../openapi/handlers.ts';

/** When a request was accepted, and the principal that sent it. */
export interface Acceptance {
  /** As `toTimestamp` writes it. */
  readonly atTimestamp: string;
  readonly principal: Principal;
}

/** What records are accepted with. */
export interface AcceptanceDeps {
  readonly clock: AcceptanceClock;
  /** Whether new records have no email address of the principal whose request they accept. */
  readonly isEmailOmitted: boolean;
  readonly writer: RecordAppender;
}

/** A record that was accepted, and what becomes of it. */
export interface Accepted<R extends LedgerRecord> {
  readonly record: R;
  /** Rejects as the promise of `RecordAppender.begin`. */
  readonly commitment: Promise<Commitment>;
}

/**
 * Accepts a record now. Everything about it that can be refused or takes time must be done before: a read at a past
 * time would miss a record that waits with an earlier one.
 * @param toRecord the record with this acceptance.
 * @throws LedgerError as `RecordAppender.begin`, when nothing was accepted.
 */
export const acceptRecord = <R extends LedgerRecord>(
  { clock, isEmailOmitted, writer }: AcceptanceDeps,
  { tenantIdentity, principal }: CallerIdentity,
  toRecord: (acceptance: Acceptance) => R,
): Accepted<R> => {
  const record = toRecord({
    atTimestamp: toTimestamp(clock.accept()),
    principal: isEmailOmitted ? { ...principal, email: '' } : principal,
  });
  return { record, commitment: writer.begin(tenantIdentity, record) };
};
