// Changes a location by recording another version, one change of a location at a time, so that no change is lost.
import { isDeepStrictEqual } from 'node:util';
import { LedgerError } from '../../../ledger/errors.ts';
import { toVersionIdentity } from '../../../ledger/identity.ts';
import { type LocationResource, toLocationResource } from '../../../ledger/records/location.ts';
import type { ServerDeps } from '../../deps.ts';
import type { RunExclusively } from '../../fairness/exclusive.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { appendVersion } from '../../records/appendVersion.ts';
import { maskChanges } from '../../records/masks.ts';
import { type LocationChanges, toChangedLocation, toLocationRecord } from '../../records/newLocation.ts';

/** What fields are reset to. */
const ZEROS: LocationChanges = { description: '', attributes: {} };

const appendChange = async (
  deps: ServerDeps,
  caller: Caller,
  locationUuid: string,
  changes: LocationChanges,
): Promise<LocationResource> => {
  const { view, newUuid } = deps;
  const { tenantIdentity } = caller;
  const newest = await view.readNewestLocation(tenantIdentity, locationUuid);
  if (newest === undefined) throw new LedgerError('LOCATION_NOT_FOUND');
  const location = toLocationResource(newest);
  const changed = toChangedLocation(location, changes);
  const after = { identity: location.identity, ...changed };
  if (isDeepStrictEqual(after, location)) return location;
  const version = { identity: toVersionIdentity(location.identity, newUuid()), follows: newest.identity };
  await appendVersion(deps, caller, (acceptance) => toLocationRecord(changed, version, acceptance));
  return after;
};

export const updateLocation =
  (deps: ServerDeps, runExclusively: RunExclusively): Handler<'updateLocation'> =>
  async ({ caller, params, query, body }) => {
    const changes = maskChanges(body, query.mask, ZEROS);
    const name = JSON.stringify([caller.tenantIdentity, params.uuid]);
    const location = await runExclusively(name, () => appendChange(deps, caller, params.uuid, changes));
    return { status: 200, body: location };
  };
