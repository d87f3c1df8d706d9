// Deletes a location by recording its deletion, once even when several clients request it at the same time.
import { LedgerError } from '../../../ledger/errors.ts';
import { toVersionIdentity } from '../../../ledger/identity.ts';
import { type LocationResource, toLocationResource } from '../../../ledger/records/location.ts';
import type { ServerDeps } from '../../deps.ts';
import type { RunExclusively } from '../../fairness/exclusive.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { appendVersion } from '../../records/appendVersion.ts';
import { toLocationRecord } from '../../records/newLocation.ts';
import { assertVersionMatches } from '../../records/versionTags.ts';

const appendDeletion = async (
  deps: ServerDeps,
  caller: Caller,
  locationUuid: string,
  ifMatch: string | undefined,
): Promise<LocationResource> => {
  const { view, newUuid } = deps;
  const { tenantIdentity } = caller;
  const newest = await view.readNewestLocation(tenantIdentity, locationUuid);
  if (newest === undefined) throw new LedgerError('LOCATION_NOT_FOUND');
  assertVersionMatches(ifMatch, newest.identity);
  const location = toLocationResource(newest);
  const version = { identity: toVersionIdentity(location.identity, newUuid()), follows: newest.identity };
  await appendVersion(deps, caller, (acceptance) => toLocationRecord(location, version, acceptance, true));
  return location;
};

export const deleteLocation =
  (deps: ServerDeps, runExclusively: RunExclusively): Handler<'deleteLocation'> =>
  async ({ caller, params, headers }) => {
    const name = JSON.stringify([caller.tenantIdentity, params.uuid]);
    return {
      status: 200,
      body: await runExclusively(name, () => appendDeletion(deps, caller, params.uuid, headers['If-Match'])),
    };
  };
