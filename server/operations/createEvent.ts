// Records an event on an asset that lists its behaviour.
import { assertAssetFits } from '../../ledger/assetSize.ts';
import { assertEventAllowed } from '../../ledger/behaviours.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { isAttach } from '../../ledger/eventRecord.ts';
import { toEventIdentity } from '../../ledger/identity.ts';
import { type Asset, type EventResource, toCommittedRecord, toEventResource } from '../../ledger/resources.ts';
import { toTimestamp } from '../../ledger/timestamp.ts';
import type { ServerDeps } from '../deps.ts';
import { createRunExclusively } from '../exclusive.ts';
import type { Caller, Handler } from '../handlers.ts';
import { createOnce, toKeyedUuid } from '../idempotency.ts';
import { acceptNow, type NewEvent, toEventRecord } from '../newEvent.ts';
import { assertAttachments, assertHomeLocation } from '../references.ts';

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

// The time is of no concern to what is looked at here.
const assertAllowed = async ({ view, now }: ServerDeps, creation: Creation, { state }: Asset): Promise<void> => {
  const { caller, body } = creation;
  const acceptance = { atTimestamp: toTimestamp(now()), principal: caller.principal };
  const record = toEventRecord(body, toIdentity(creation), acceptance);
  assertEventAllowed(state.behaviours, record);
  assertAssetFits(state, record);
  await assertHomeLocation(view, caller.tenantIdentity, 'asset_attributes', record.asset_attributes);
  if (isAttach(record)) await assertAttachments(view, caller.tenantIdentity, record.event_attributes);
};

const appendEvent = async (deps: ServerDeps, creation: Creation): Promise<EventResource> => {
  const { caller, body, assetUuid } = creation;
  const asset = await deps.view.readAsset(caller.tenantIdentity, assetUuid);
  if (asset === undefined || asset.confirmation_status === 'FAILED') throw new LedgerError('ASSET_NOT_FOUND');
  await assertAllowed(deps, creation, asset);
  const record = toEventRecord(body, toIdentity(creation), acceptNow(deps, caller));
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
      toRecord: (acceptance) => toEventRecord(creation.body, toIdentity(creation), acceptance),
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
