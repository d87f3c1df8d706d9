// Creates an asset by recording its first event.
import { createAssetState } from '../../../ledger/assets/asset.ts';
import { type Asset, type AssetResource, toAssetResource } from '../../../ledger/assets/assetResource.ts';
import { toAssetIdentity, toEventIdentity } from '../../../ledger/identity.ts';
import { type EventResource, toCommittedRecord } from '../../../ledger/records/event.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { acceptRecord } from '../../records/acceptance.ts';
import { createCreateOnce, createInCollection, type MemberCreation } from '../../records/idempotency.ts';
import { type NewAsset, toAssetSettings, toCreationRecord } from '../../records/newAsset.ts';
import { assertBlobs, assertHomeLocation, READERS_RULES } from '../../records/references.ts';

type Creation = MemberCreation<NewAsset>;

const toIdentity = ({ uuid, recordUuid }: Creation): string => toEventIdentity(uuid, recordUuid);

const appendCreation = async (deps: ServerDeps, creation: Creation): Promise<AssetResource> => {
  const { caller, body, uuid } = creation;
  const attributes = body.attributes ?? {};
  await assertHomeLocation(deps.view, caller.tenantIdentity, 'attributes', attributes);
  await assertBlobs(deps.view, caller.tenantIdentity, { attributes }, READERS_RULES);
  const { record, commitment: committing } = acceptRecord(deps, caller, (acceptance) =>
    toCreationRecord(body, toIdentity(creation), acceptance),
  );
  const commitment = await committing;
  const asset: Asset = {
    identity: toAssetIdentity(uuid),
    tenant_identity: caller.tenantIdentity,
    owner: commitment.from,
    confirmation_status: commitment.confirmation_status,
    ...(commitment.failure_reason !== undefined && { failure_reason: commitment.failure_reason }),
    state: createAssetState(toAssetSettings(body), record.asset_attributes),
  };
  return toAssetResource(asset, { chainId: deps.chainId, at_time: record.timestamp_accepted });
};

const readCreated = async (deps: ServerDeps, creation: Creation, atTimestamp: string): Promise<AssetResource> => {
  const asset = await deps.view.readCreatedAsset(creation.caller.tenantIdentity, creation.uuid);
  if (asset === undefined) throw new Error(`${toIdentity(creation)} has a creation event but no asset`);
  return toAssetResource(asset, { chainId: deps.chainId, at_time: atTimestamp });
};

export const createAsset = (deps: ServerDeps): Handler<'createAsset'> => {
  const create = createCreateOnce<Creation, EventResource, AssetResource>(deps.newUuid, {
    toIdentity,
    readFirst: ({ caller, uuid, recordUuid }) => deps.view.readEvent(caller.tenantIdentity, uuid, recordUuid),
    toFirstRecord: toCommittedRecord,
    toRecord: (creation, acceptance) => toCreationRecord(creation.body, toIdentity(creation), acceptance),
    answerFirst: (first, creation) => readCreated(deps, creation, first.timestamp_accepted),
    append: (creation) => appendCreation(deps, creation),
  });
  return createInCollection(create, 'v2/assets');
};
