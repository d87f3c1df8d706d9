// From what a client asks to the record of an event. Pure: what the server chooses (identity, time, principal) is passed in.
import type { EventRecord } from '../ledger/eventRecord.ts';
import { type Principal, toPrincipal } from '../ledger/principal.ts';
import { normalizeTimestamp, toTimestamp } from '../ledger/timestamp.ts';
import type { AcceptanceClock } from './acceptanceClock.ts';
import type { Caller, HandlerRequest } from './handlers.ts';

/** When a request was accepted, and whose it was. */
export interface Acceptance {
  /** As `toTimestamp` writes it. */
  readonly atTimestamp: string;
  readonly principal: Principal;
}

/** The acceptance of a record by now. Of an event whatever can be refused is to be refused before: acceptanceClock.ts says why. */
export const acceptNow = ({ clock }: { readonly clock: AcceptanceClock }, { principal }: Caller): Acceptance => ({
  atTimestamp: toTimestamp(clock.accept()),
  principal,
});

export type NewEvent = HandlerRequest<'createEvent'>['body'];

/**
 * The record of a new event (decisions.md point 24).
 * @throws LedgerError TIMESTAMP_INVALID that names `timestamp_declared`.
 */
export const toEventRecord = (intent: NewEvent, identity: string, acceptance: Acceptance): EventRecord => {
  const { timestamp_declared: declaredAt, principal_declared: declaredBy } = intent;
  return {
    type: 'event',
    identity,
    behaviour: intent.behaviour,
    operation: intent.operation,
    event_attributes: intent.event_attributes ?? {},
    asset_attributes: intent.asset_attributes ?? {},
    asset_settings: {},
    timestamp_accepted: acceptance.atTimestamp,
    timestamp_declared:
      declaredAt === undefined ? acceptance.atTimestamp : normalizeTimestamp(declaredAt, 'timestamp_declared'),
    principal_accepted: acceptance.principal,
    principal_declared: declaredBy === undefined ? acceptance.principal : toPrincipal(declaredBy),
  };
};
