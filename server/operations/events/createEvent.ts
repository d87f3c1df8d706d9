// Records an event on an asset that lists its behaviour: one of the caller's tenant, or of another one that grants it.
import type { Contribution } from '../../../indexer/contributionView.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { toEventIdentity } from '../../../ledger/identity.ts';
import {
  type EventRecord,
  type EventResource,
  isAttach,
  toCommittedRecord,
  toEventResource,
} from '../../../ledger/records/event.ts';
import type { ServerDeps } from '../../deps.ts';
import { createRunExclusively } from '../../fairness/exclusive.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { acceptRecord } from '../../records/acceptance.ts';
import { assertEventAccepted } from '../../records/eventChecks.ts';
import { type CreationSteps, createCreateOnce, toEventCollection } from '../../records/idempotency.ts';
import { contribute } from '../../records/newContribution.ts';
import { type NewEvent, toEventRecord, toProposedEvent } from '../../records/newEvent.ts';

interface Creation {
  readonly caller: Caller;
  readonly body: NewEvent;
  readonly assetUuid: string;
  /** The tenant that owns the asset; undefined if the request doesn't say. */
  readonly ownerIdentity: string | undefined;
  readonly eventUuid: string;
}

const toIdentity = ({ assetUuid, eventUuid }: Creation): string => toEventIdentity(assetUuid, eventUuid);

// The ledger alone shows the attachments of an asset after an Attach: other attachments may have come before it.
const readAppendedEvent = async ({ view }: ServerDeps, creation: Creation): Promise<EventResource> => {
  const event = await view.readEvent(creation.caller.tenantIdentity, creation.assetUuid, creation.eventUuid);
  if (event === undefined) throw new Error(`${toIdentity(creation)} was appended, but the view does not show it`);
  return event;
};

const appendEvent = async (deps: ServerDeps, creation: Creation): Promise<EventResource> => {
  const { caller, body, assetUuid, ownerIdentity = caller.tenantIdentity } = creation;
  const isOwn = !caller.isRestricted && ownerIdentity === caller.tenantIdentity;
  const asset = isOwn ? await deps.view.readAsset(caller.tenantIdentity, assetUuid) : undefined;
  if (asset === undefined || asset.confirmation_status === 'FAILED')
    return contribute(deps, { ...creation, identity: toIdentity(creation) });
  const proposed = toProposedEvent(body, toIdentity(creation));
  await assertEventAccepted(deps.view, caller.tenantIdentity, proposed, asset.state);
  const { record, commitment: committing } = acceptRecord(deps, caller, (acceptance) =>
    toEventRecord(proposed, acceptance),
  );
  const commitment = await committing;
  return isAttach(record)
    ? readAppendedEvent(deps, creation)
    : toEventResource(record, caller.tenantIdentity, commitment);
};

// An event of the tenant's own asset, or one that it contributed. What another tenant contributed under the same UUID
// takes no key away: a writer can compute the UUID of a key that it guesses.
const readFirst = async (
  { view }: ServerDeps,
  { caller: { tenantIdentity }, assetUuid, eventUuid }: Creation,
): Promise<Contribution | undefined> => {
  const event = await view.readEvent(tenantIdentity, assetUuid, eventUuid);
  return event === undefined || event.contribution !== undefined
    ? view.readContribution(tenantIdentity, assetUuid, eventUuid)
    : { event, hasEffect: true };
};

// Two tenants may have an asset with the same UUID, so that a key leads to the same event UUID for both.
const toFirstRecord = ({ event }: Contribution, { ownerIdentity }: Creation): EventRecord => {
  const owner = event.contribution?.owner ?? event.tenant_identity;
  if (ownerIdentity !== undefined && ownerIdentity !== owner) throw new LedgerError('IDEMPOTENCY_CONFLICT');
  return toCommittedRecord(event);
};

// A caller without a role doesn't get the asset's list of attachments, which the ledger shows with an Attach.
const answerFirst = ({ event, hasEffect }: Contribution, { caller }: Creation): EventResource => {
  if (!hasEffect) throw new LedgerError('CONTRIBUTION_WITHOUT_EFFECT');
  return caller.isRestricted ? { ...event, asset_attributes: toCommittedRecord(event).asset_attributes } : event;
};

/** Operations that create the same events share `runExclusively`. */
export const createEvent = (deps: ServerDeps, runExclusively = createRunExclusively()): Handler<'createEvent'> => {
  const steps: CreationSteps<Creation, Contribution, EventResource> = {
    toIdentity,
    readFirst: (creation) => readFirst(deps, creation),
    toFirstRecord,
    toRecord: (creation, acceptance) => toEventRecord(toProposedEvent(creation.body, toIdentity(creation)), acceptance),
    answerFirst,
    append: (creation) => appendEvent(deps, creation),
  };
  const create = createCreateOnce(deps.newUuid, steps, runExclusively);
  return async ({ caller, body, headers, query, params: { asset_uuid: assetUuid } }) => {
    const event = await create(caller, headers['Idempotency-Key'], (nameUuid) => ({
      caller,
      body,
      assetUuid,
      ownerIdentity: query.tenant_identity,
      eventUuid: nameUuid(toEventCollection(assetUuid)),
    }));
    return { status: 200, body: event };
  };
};
