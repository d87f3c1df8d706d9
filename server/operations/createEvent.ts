// Records an event on an asset that lists its behaviour.
import { assertAssetFits } from '../../ledger/assetSize.ts';
import { assertEventAllowed } from '../../ledger/behaviours.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toEventIdentity } from '../../ledger/identity.ts';
import { type EventResource, toEventResource } from '../../ledger/resources.ts';
import { toTimestamp } from '../../ledger/timestamp.ts';
import type { ServerDeps } from '../deps.ts';
import { createRunExclusively } from '../exclusive.ts';
import type { Caller, Handler } from '../handlers.ts';
import { createOnce, toKeyedUuid } from '../idempotency.ts';
import { type NewEvent, toEventRecord } from '../newEvent.ts';

interface Creation {
  readonly caller: Caller;
  readonly body: NewEvent;
  readonly assetUuid: string;
  readonly eventUuid: string;
}

const toIdentity = ({ assetUuid, eventUuid }: Creation): string => toEventIdentity(assetUuid, eventUuid);

const appendEvent = async (deps: ServerDeps, creation: Creation): Promise<EventResource> => {
  const { caller, body, assetUuid } = creation;
  const asset = await deps.view.readAsset(caller.tenantIdentity, assetUuid);
  if (asset === undefined || asset.confirmation_status === 'FAILED') throw new LedgerError('ASSET_NOT_FOUND');
  const acceptance = { atTimestamp: toTimestamp(deps.now()), principal: caller.principal };
  const record = toEventRecord(body, toIdentity(creation), acceptance);
  assertEventAllowed(asset.state.behaviours, record);
  assertAssetFits(asset.state.attributes, record.asset_attributes);
  const commitment = await deps.writer.append(caller.tenantIdentity, record);
  return toEventResource(record, caller.tenantIdentity, commitment);
};

export const createEvent = (deps: ServerDeps): Handler<'createEvent'> => {
  const { view, newUuid } = deps;
  const runExclusively = createRunExclusively();
  const createKeyed = (creation: Creation): Promise<EventResource> =>
    createOnce(runExclusively, {
      identity: toIdentity(creation),
      readFirst: () => view.readEvent(creation.caller.tenantIdentity, creation.assetUuid, creation.eventUuid),
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
