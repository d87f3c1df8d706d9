// Records an event on an asset that lists its behaviour.

import type { Asset } from '../../../ledger/assets/assetResource.ts';
import { assertAssetFits } from '../../../ledger/assets/assetSize.ts';
import { assertEventAllowed } from '../../../ledger/assets/behaviours.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { toEventIdentity } from '../../../ledger/identity.ts';
import { type EventResource, isAttach, toCommittedRecord, toEventResource } from '../../../ledger/records/event.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { createRunExclusively } from '../../records/exclusive.ts';
import { createOnce, toKeyedUuid } from '../../records/idempotency.ts';
import {
  acceptNow,
  type NewEvent,
  type ProposedEvent,
  toEventRecord,
  toProposedEvent,
} from '../../records/newEvent.ts';
import { assertAttachments, assertHomeLocation } from '../../records/references.ts';

interface Creation {
  readonly caller: Caller;
  readonly body: NewEvent;
  readonly assetUuid: string;
  readonly eventUuid: string;
}

const toIdentity = ({ assetUuid, eventUuid }: Creation): string => toEventIdentity(assetUuid, eventUuid);

// What an Attach leads to is for the ledger to say, where it comes after whatever else was attached.
const readAppended = async ({ view }: ServerDeps, creation: Creation): Promise<EventResource> => {
  const event = await view.readEvent(creation.caller.tenantIdentity, creation.assetUuid, creation.eventUuid);
  if (event === undefined) throw new Error(`${toIdentity(creation)} was appended and is not there`);
  return event;
};

const assertAllowed = async (
  { view }: ServerDeps,
  { caller: { tenantIdentity } }: Creation,
  event: ProposedEvent,
  { state }: Asset,
): Promise<void> => {
  assertEventAllowed(state.behaviours, event);
  assertAssetFits(state, event);
  await assertHomeLocation(view, tenantIdentity, 'asset_attributes', event.asset_attributes);
  if (isAttach(event)) await assertAttachments(view, tenantIdentity, event.event_attributes);
};

const appendEvent = async (deps: ServerDeps, creation: Creation): Promise<EventResource> => {
  const { caller, body, assetUuid } = creation;
  const asset = await deps.view.readAsset(caller.tenantIdentity, assetUuid);
  if (asset === undefined || asset.confirmation_status === 'FAILED') throw new LedgerError('ASSET_NOT_FOUND');
  const proposed = toProposedEvent(body, toIdentity(creation));
  await assertAllowed(deps, creation, proposed, asset);
  const record = toEventRecord(proposed, acceptNow(deps, caller));
  const commitment = await deps.writer.append(caller.tenantIdentity, record);
  return isAttach(record) ? readAppended(deps, creation) : toEventResource(record, caller.tenantIdentity, commitment);
};

export const createEvent = (deps: ServerDeps): Handler<'createEvent'> => {
  const { view, newUuid } = deps;
  const runExclusively = createRunExclusively();
  const createKeyed = (creation: Creation): Promise<EventResource> =>
    createOnce(runExclusively, {
      identity: toIdentity(creation),
      readFirst: () => view.readEvent(creation.caller.tenantIdentity, creation.assetUuid, creation.eventUuid),
      toFirstRecord: toCommittedRecord,
      toRecord: (acceptance) => toEventRecord(toProposedEvent(creation.body, toIdentity(creation)), acceptance),
      answerFirst: async (first) => first,
      create: () => appendEvent(deps, creation),
    });
  return async ({ caller, body, headers, params }) => {
    const assetUuid = params.asset_uuid;
    const key = headers['Idempotency-Key'];
    const event =
      key === undefined
        ? appendEvent(deps, { caller, body, assetUuid, eventUuid: newUuid() })
        : createKeyed({
            caller,
            body,
            assetUuid,
            eventUuid: toKeyedUuid(caller, `v2/assets/${assetUuid}/events`, key),
          });
    return { status: 200, body: await event };
  };
};
