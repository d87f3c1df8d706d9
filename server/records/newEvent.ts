// From what a client asks to the record of an event. Pure: what the server chooses (identity, time, principal) is passed in.

import { normalizeTimestamp, toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { type Principal, toPrincipal } from '../../ledger/principal.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import { type EventRecord, isAttach } from '../../ledger/records/event.ts';
import type { Caller, HandlerRequest } from '../openapi/handlers.ts';
import type { AcceptanceClock } from './acceptanceClock.ts';

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

type AcceptedFields = 'timestamp_accepted' | 'timestamp_declared' | 'principal_accepted' | 'principal_declared';

/** The record of an event but for its acceptance: all that can be refused of it. */
export interface ProposedEvent extends Omit<EventRecord, AcceptedFields> {
  /** Undefined: the time of the acceptance. */
  readonly timestamp_declared: string | undefined;
  /** Undefined: the principal whose request is accepted. */
  readonly principal_declared: Principal | undefined;
}

// An Attach shows the asset's whole list after it, so an event that was read brings that list along. What an Attach leads to is for the ledger
// to say: the list of a request counts for nothing (decision 51).
const toAssetAttributes = (intent: NewEvent): Attributes => {
  const { asset_attributes: attributes = {} } = intent;
  if (!isAttach(intent)) return attributes;
  const { arc_attachments: _, ...own } = attributes;
  return own;
};

/**
 * What a client proposes as an event.
 * @throws LedgerError TIMESTAMP_INVALID that names `timestamp_declared`.
 */
export const toProposedEvent = (intent: NewEvent, identity: string): ProposedEvent => {
  const { timestamp_declared: declaredAt, principal_declared: declaredBy } = intent;
  return {
    type: 'event',
    identity,
    behaviour: intent.behaviour,
    operation: intent.operation,
    event_attributes: intent.event_attributes ?? {},
    asset_attributes: toAssetAttributes(intent),
    asset_settings: {},
    timestamp_declared: declaredAt === undefined ? undefined : normalizeTimestamp(declaredAt, 'timestamp_declared'),
    principal_declared: declaredBy === undefined ? undefined : toPrincipal(declaredBy),
  };
};

/** The record of a new event (decision 24). */
export const toEventRecord = (proposed: ProposedEvent, { atTimestamp, principal }: Acceptance): EventRecord => ({
  ...proposed,
  timestamp_accepted: atTimestamp,
  timestamp_declared: proposed.timestamp_declared ?? atTimestamp,
  principal_accepted: principal,
  principal_declared: proposed.principal_declared ?? principal,
});
