// Creates a location by recording its first version.
import { toLocationIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import { type LocationRecord, type LocationResource, toLocationResource } from '../../../ledger/records/location.ts';
import { FOLLOWS_NONE } from '../../../ledger/records/version.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import type { Acceptance } from '../../records/acceptance.ts';
import { appendVersion, assertEffective } from '../../records/appendVersion.ts';
import { createCreateOnce, createVersionedInCollection, type MemberCreation } from '../../records/idempotency.ts';
import { type NewLocation, toLocationContent, toLocationRecord } from '../../records/newLocation.ts';
import type { Versioned } from '../../records/versionTags.ts';

type Creation = MemberCreation<NewLocation>;

const toIdentity = ({ uuid, recordUuid }: Creation): string => toVersionIdentity(toLocationIdentity(uuid), recordUuid);

const toRecord = (creation: Creation, acceptance: Acceptance) =>
  toLocationRecord(
    toLocationContent(creation.body),
    { identity: toIdentity(creation), follows: FOLLOWS_NONE },
    acceptance,
  );

const toVersioned = (record: LocationRecord): Versioned<LocationResource> => ({
  resource: toLocationResource(record),
  version: record.identity,
});

const appendLocation = async (deps: ServerDeps, creation: Creation): Promise<Versioned<LocationResource>> => {
  const { record } = await appendVersion(deps, creation.caller, (acceptance) => toRecord(creation, acceptance));
  return toVersioned(record);
};

export const createLocation = (deps: ServerDeps): Handler<'createLocation'> => {
  const create = createCreateOnce<Creation, LocationRecord, Versioned<LocationResource>>(deps.newUuid, {
    toIdentity,
    readFirst: ({ caller, uuid, recordUuid }) => deps.view.readLocationVersion(caller.tenantIdentity, uuid, recordUuid),
    toFirstRecord: (first) => first,
    toRecord,
    answerFirst: async (first, { caller }) => {
      await assertEffective(deps, caller.tenantIdentity, first);
      return toVersioned(first);
    },
    append: (creation) => appendLocation(deps, creation),
  });
  return createVersionedInCollection(create, 'v2/locations');
};
