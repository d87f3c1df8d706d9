// The record of a contribution: an event that a tenant records on an asset of another one, its owner. It is a record of
// the writer's tenant, in a stream of its own there, and is signed with the writer's key. It becomes an event of the
// asset if a policy of the owner allows it (`ledger/sharing/contributions.ts`); its time there is its block's time.
import { isTimestamp, toTimestamp } from '../encoding/timestamp.ts';
import { parseContributionIdentity, toContributionIdentity } from '../identity.ts';
import { isPrincipal } from '../principal.ts';
import { type AttributeValue, isAttributes } from './attributes.ts';
import type { Commitment } from './commitment.ts';
import { type EventRecord, type EventResource, isAttach, isCreation, toEventResource } from './event.ts';
import { type Checks, hasFields, isString } from './fieldChecks.ts';

/** One contribution. */
export interface ContributionRecord extends Omit<EventRecord, 'type' | 'asset_settings'> {
  readonly type: 'contribution';
  /** `tenant/<uuid of the owner>/assets/<uuid>/events/<uuid>`. */
  readonly identity: string;
  /** Identity of the tenant that owns the asset. */
  readonly owner: string;
  /** When the writer's server accepted it. */
  readonly timestamp_accepted: string;
}

const CHECKS: Checks<Omit<ContributionRecord, 'appended_again'>> = {
  type: (value) => value === 'contribution',
  identity: (value) => typeof value === 'string' && parseContributionIdentity(value) !== undefined,
  owner: isString,
  behaviour: isString,
  operation: isString,
  event_attributes: isAttributes,
  asset_attributes: isAttributes,
  timestamp_accepted: isTimestamp,
  timestamp_declared: isTimestamp,
  principal_accepted: isPrincipal,
  principal_declared: isPrincipal,
};

/** Whether an untrusted value is a contribution, with all of its fields and no others, that creates no asset. */
export const isContributionRecord = (value: unknown): value is ContributionRecord =>
  hasFields(value, CHECKS) &&
  parseContributionIdentity(value.identity)?.ownerIdentity === value.owner &&
  !isCreation(value) &&
  !(isAttach(value) && Object.hasOwn(value.asset_attributes, 'arc_attachments'));

/** The contribution of an event to an asset of the owner. */
export const toContribution = (event: EventRecord, ownerIdentity: string): ContributionRecord => {
  const { asset_settings: _, ...fields } = event;
  return {
    ...fields,
    type: 'contribution',
    identity: toContributionIdentity(ownerIdentity, event.identity),
    owner: ownerIdentity,
  };
};

/** The event of a contribution as its writer wrote it: the inverse of `toContribution`. */
export const toWrittenEvent = ({ owner, ...fields }: ContributionRecord): EventRecord => ({
  ...fields,
  type: 'event',
  identity: fields.identity.slice(owner.length + 1),
  asset_settings: {},
});

/** The event that a contribution is on the asset. `committedMs`: its block's time, which is its time of acceptance. */
export const toContributedEvent = (record: ContributionRecord, committedMs: number): EventRecord => ({
  ...toWrittenEvent(record),
  timestamp_accepted: toTimestamp(committedMs),
});

/**
 * The resource of a contribution. Until it is committed, it shows when the writer's server accepted it.
 * @param writerIdentity the tenant that wrote it.
 * @param attachmentsAfter as for `toEventResource`.
 */
export const toContributionResource = (
  record: ContributionRecord,
  writerIdentity: string,
  commitment: Commitment,
  attachmentsAfter?: AttributeValue,
): EventResource => {
  const { confirmation_status, timestamp_committed } = commitment;
  const isCommitted = confirmation_status === 'CONFIRMED';
  const event = isCommitted ? toContributedEvent(record, Date.parse(timestamp_committed)) : toWrittenEvent(record);
  return {
    ...toEventResource(event, writerIdentity, commitment, attachmentsAfter),
    contribution: { owner: record.owner, timestamp_accepted: record.timestamp_accepted },
  };
};
