// Records an event on an asset that lists its behaviour.
import { LedgerError } from '../../../ledger/errors.ts';
import { toEventIdentity } from '../../../ledger/identity.ts';
import { type EventResource, isAttach, toCommittedRecord, toEventResource } from '../../../ledger/records/event.ts';
import type { ServerDeps } from '../../deps.ts';
import { createRunExclusively } from '../../exclusive.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { assertEventAccepted } from '../../records/eventChecks.ts';
import { type CreationSteps, createCreateOnce, toEventCollection } from '../../records/idempotency.ts';
import { acceptNow, type NewEvent, toEventRecord, toProposedEvent } from '../../records/newEvent.ts';

interface Creation {
  readonly caller: Caller;
  readonly body: NewEvent;
  readonly assetUuid: string;
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
  const { caller, body, assetUuid } = creation;
  const asset = await deps.view.readAsset(caller.tenantIdentity, assetUuid);
  if (asset === undefined || asset.confirmation_status === 'FAILED') throw new LedgerError('ASSET_NOT_FOUND');
  const proposed = toProposedEvent(body, toIdentity(creation));
  await assertEventAccepted(deps.view, caller.tenantIdentity, proposed, asset.state);
  const record = toEventRecord(proposed, acceptNow(deps, caller));
  const commitment = await deps.writer.append(caller.tenantIdentity, record);
  return isAttach(record)
    ? readAppendedEvent(deps, creation)
    : toEventResource(record, caller.tenantIdentity, commitment);
};

/** Operations that create the same events share `runExclusively`. */
export const createEvent = (deps: ServerDeps, runExclusively = createRunExclusively()): Handler<'createEvent'> => {
  const steps: CreationSteps<Creation, EventResource, EventResource> = {
    toIdentity,
    readFirst: ({ caller, assetUuid, eventUuid }) => deps.view.readEvent(caller.tenantIdentity, assetUuid, eventUuid),
    toFirstRecord: toCommittedRecord,
    toRecord: (creation, acceptance) => toEventRecord(toProposedEvent(creation.body, toIdentity(creation)), acceptance),
    answerFirst: (first) => first,
    append: (creation) => appendEvent(deps, creation),
  };
  const create = createCreateOnce(deps.newUuid, steps, runExclusively);
  return async ({ caller, body, headers, params: { asset_uuid: assetUuid } }) => {
    const event = await create(caller, headers['Idempotency-Key'], (nameUuid) => ({
      caller,
      body,
      assetUuid,
      eventUuid: nameUuid(toEventCollection(assetUuid)),
    }));
    return { status: 200, body: event };
  };
};
