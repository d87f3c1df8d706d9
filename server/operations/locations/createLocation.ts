// Creating a location is recording its first version.
import { toLocationIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import { type LocationResource, toLocationResource } from '../../../ledger/records/location.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { createRunExclusively } from '../../records/exclusive.ts';
import { createOnce, toKeyedUuid } from '../../records/idempotency.ts';
import { type Acceptance, acceptNow } from '../../records/newEvent.ts';
import { type NewLocation, toLocationContent, toLocationRecord } from '../../records/newLocation.ts';

interface Creation {
  readonly caller: Caller;
  readonly body: NewLocation;
  readonly locationUuid: string;
  readonly versionUuid: string;
}

const toIdentity = ({ locationUuid, versionUuid }: Creation): string =>
  toVersionIdentity(toLocationIdentity(locationUuid), versionUuid);

const toRecord = (creation: Creation, acceptance: Acceptance) =>
  toLocationRecord(toLocationContent(creation.body), toIdentity(creation), acceptance);

const appendLocation = async (deps: ServerDeps, creation: Creation): Promise<LocationResource> => {
  const { caller } = creation;
  const record = toRecord(creation, acceptNow(deps, caller));
  await deps.writer.append(caller.tenantIdentity, record);
  return toLocationResource(record);
};

const toKeyedCreation = (caller: Caller, body: NewLocation, key: string): Creation => {
  const locationUuid = toKeyedUuid(caller, 'v2/locations', key);
  return { caller, body, locationUuid, versionUuid: toKeyedUuid(caller, `v2/locations/${locationUuid}`, key) };
};

export const createLocation = (deps: ServerDeps): Handler<'createLocation'> => {
  const { view, newUuid } = deps;
  const runExclusively = createRunExclusively();
  const createKeyed = (creation: Creation): Promise<LocationResource> => {
    const { caller, locationUuid, versionUuid } = creation;
    return createOnce(runExclusively, {
      identity: toIdentity(creation),
      readFirst: () => view.readLocationVersion(caller.tenantIdentity, locationUuid, versionUuid),
      toFirstRecord: (first) => first,
      toRecord: (acceptance) => toRecord(creation, acceptance),
      answerFirst: async (first) => toLocationResource(first),
      create: () => appendLocation(deps, creation),
    });
  };
  return async ({ caller, body, headers }) => {
    const key = headers['Idempotency-Key'];
    const location =
      key === undefined
        ? appendLocation(deps, { caller, body, locationUuid: newUuid(), versionUuid: newUuid() })
        : createKeyed(toKeyedCreation(caller, body, key));
    return { status: 200, body: await location };
  };
};
