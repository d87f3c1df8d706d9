// Creating an asset is recording its first event.
import { createAssetState } from '../../../ledger/assets/asset.ts';
import { type Asset, type AssetResource, toAssetResource } from '../../../ledger/assets/assetResource.ts';
import { toAssetIdentity, toEventIdentity } from '../../../ledger/identity.ts';
import { toCommittedRecord } from '../../../ledger/records/event.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { createRunExclusively } from '../../records/exclusive.ts';
import { createOnce, toKeyedUuid } from '../../records/idempotency.ts';
import { type NewAsset, toAssetSettings, toCreationRecord } from '../../records/newAsset.ts';
import { acceptNow } from '../../records/newEvent.ts';
import { assertHomeLocation } from '../../records/references.ts';

interface Creation {
  readonly caller: Caller;
  readonly body: NewAsset;
  readonly assetUuid: string;
  readonly eventUuid: string;
}

const toIdentity = ({ assetUuid, eventUuid }: Creation): string => toEventIdentity(assetUuid, eventUuid);

const appendCreation = async (deps: ServerDeps, creation: Creation): Promise<AssetResource> => {
  const { caller, body, assetUuid } = creation;
  await assertHomeLocation(deps.view, caller.tenantIdentity, 'attributes', body.attributes ?? {});
  const acceptance = acceptNow(deps, caller);
  const record = toCreationRecord(body, toIdentity(creation), acceptance);
  const commitment = await deps.writer.append(caller.tenantIdentity, record);
  const asset: Asset = {
    identity: toAssetIdentity(assetUuid),
    tenant_identity: caller.tenantIdentity,
    owner: commitment.from,
    confirmation_status: commitment.confirmation_status,
    state: createAssetState(toAssetSettings(body), record.asset_attributes),
  };
  return toAssetResource(asset, { chainId: deps.chainId, at_time: acceptance.atTimestamp });
};

const readCreated = async (deps: ServerDeps, creation: Creation, atTimestamp: string): Promise<AssetResource> => {
  const asset = await deps.view.readCreatedAsset(creation.caller.tenantIdentity, creation.assetUuid);
  if (asset === undefined) throw new Error(`${toIdentity(creation)} has a creation event but no asset`);
  return toAssetResource(asset, { chainId: deps.chainId, at_time: atTimestamp });
};

const toKeyedCreation = (caller: Caller, body: NewAsset, key: string): Creation => {
  const assetUuid = toKeyedUuid(caller, 'v2/assets', key);
  return { caller, body, assetUuid, eventUuid: toKeyedUuid(caller, `v2/assets/${assetUuid}`, key) };
};

export const createAsset = (deps: ServerDeps): Handler<'createAsset'> => {
  const { view, newUuid } = deps;
  const runExclusively = createRunExclusively();
  const createKeyed = (creation: Creation): Promise<AssetResource> =>
    createOnce(runExclusively, {
      identity: toIdentity(creation),
      readFirst: () => view.readEvent(creation.caller.tenantIdentity, creation.assetUuid, creation.eventUuid),
      toFirstRecord: toCommittedRecord,
      toRecord: (acceptance) => toCreationRecord(creation.body, toIdentity(creation), acceptance),
      answerFirst: (first) => readCreated(deps, creation, first.timestamp_accepted),
      create: () => appendCreation(deps, creation),
    });
  return async ({ caller, body, headers }) => {
    const key = headers['Idempotency-Key'];
    const asset =
      key === undefined
        ? appendCreation(deps, { caller, body, assetUuid: newUuid(), eventUuid: newUuid() })
        : createKeyed(toKeyedCreation(caller, body, key));
    return { status: 200, body: await asset };
  };
};
