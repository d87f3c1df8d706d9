// Converts a client's request to the record of an event. Pure: the identity, time and principal, which the server
// chooses, are arguments.
import { normalizeTimestamp } from '../../ledger/encoding/timestamp.ts';
import { refuseField } from '../../ledger/errors.ts';
import { type Principal, toPrincipal } from '../../ledger/principal.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import { type EventRecord, isAttach } from '../../ledger/records/event.ts';
import type { HandlerRequest } from '../openapi/handlers.ts';
import type { Acceptance } from './acceptance.ts';

/** What a client sends to create an event. */
export type NewEvent = HandlerRequest<'createEvent'>['body'];

type AcceptedFields = 'timestamp_accepted' | 'timestamp_declared' | 'principal_accepted' | 'principal_declared';

/** The record of an event without its acceptance: everything about it that can be refused. */
export interface ProposedEvent extends Omit<EventRecord, AcceptedFields> {
  /** Undefined: the time of the acceptance. */
  readonly timestamp_declared: string | undefined;
  /** Undefined: the principal whose request is accepted. */
  readonly principal_declared: Principal | undefined;
  /** Whether the client takes its asset for public; undefined if it doesn't say. No part of the record. */
  readonly public: boolean | undefined;
}

// An Attach shows the asset's complete list of attachments, so a client that sends an event as it read it sends that
// list too. The ledger alone decides what an Attach results in, so the request's list is ignored (decision 51).
const toAssetAttributes = (intent: NewEvent): Attributes => {
  const { asset_attributes: attributes = {} } = intent;
  if (!isAttach(intent)) return attributes;
  const { arc_attachments: _, ...own } = attributes;
  return own;
};

// Existing clients call the attributes of an event `attributes`, as the filters of lists do (decision 51).
const toEventAttributes = ({ event_attributes: own = {}, attributes = {} }: NewEvent): Attributes => {
  const isSet = (map: Attributes): boolean => Object.keys(map).length > 0;
  if (!isSet(attributes)) return own;
  if (isSet(own)) throw refuseField('REQUEST_INVALID', 'attributes', 'is another name of event_attributes: send one');
  return attributes;
};

/**
 * What a client proposes as an event.
 * @throws LedgerError TIMESTAMP_INVALID that names `timestamp_declared`, or REQUEST_INVALID that names `attributes`.
 */
export const toProposedEvent = (intent: NewEvent, identity: string): ProposedEvent => {
  const { timestamp_declared: declaredAt, principal_declared: declaredBy } = intent;
  return {
    type: 'event',
    identity,
    behaviour: intent.behaviour,
    operation: intent.operation,
    event_attributes: toEventAttributes(intent),
    asset_attributes: toAssetAttributes(intent),
    asset_settings: {},
    timestamp_declared: declaredAt === undefined ? undefined : normalizeTimestamp(declaredAt, 'timestamp_declared'),
    principal_declared: declaredBy === undefined ? undefined : toPrincipal(declaredBy),
    public: intent.public,
  };
};

/** The record of a new event (decision 24). Its names are in canonical order, so that they need not be sorted. */
export const toEventRecord = (proposed: ProposedEvent, { atTimestamp, principal }: Acceptance): EventRecord => ({
  asset_attributes: proposed.asset_attributes,
  asset_settings: proposed.asset_settings,
  behaviour: proposed.behaviour,
  event_attributes: proposed.event_attributes,
  identity: proposed.identity,
  operation: proposed.operation,
  principal_accepted: principal,
  principal_declared: proposed.principal_declared ?? principal,
  timestamp_accepted: atTimestamp,
  timestamp_declared: proposed.timestamp_declared ?? atTimestamp,
  type: 'event',
});
