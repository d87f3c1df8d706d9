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
import { assertVersionMatches, toVersionedAnswer, type Versioned } from '../../records/versionTags.ts';

/** What fields are reset to. */
const ZEROS: LocationChanges = { description: '', attributes: {} };

const appendChange = async (
  deps: ServerDeps,
  caller: Caller,
  locationUuid: string,
  { changes, ifMatch }: { readonly changes: LocationChanges; readonly ifMatch: string | undefined },
): Promise<Versioned<LocationResource>> => {
  const { view, newUuid } = deps;
  const { tenantIdentity } = caller;
  const newest = await view.readNewestLocation(tenantIdentity, locationUuid);
  if (newest === undefined) throw new LedgerError('LOCATION_NOT_FOUND');
  assertVersionMatches(ifMatch, newest.identity);
  const location = toLocationResource(newest);
  const changed = toChangedLocation(location, changes);
  const after = { identity: location.identity, ...changed };
  if (isDeepStrictEqual(after, location)) return { resource: location, version: newest.identity };
  const version = { identity: toVersionIdentity(location.identity, newUuid()), follows: newest.identity };
  await appendVersion(deps, caller, (acceptance) => toLocationRecord(changed, version, acceptance));
  return { resource: after, version: version.identity };
};

export const updateLocation =
  (deps: ServerDeps, runExclusively: RunExclusively): Handler<'updateLocation'> =>
  async ({ caller, params, query, headers, body }) => {
    const changes = maskChanges(body, query.mask, ZEROS);
    const name = JSON.stringify([caller.tenantIdentity, params.uuid]);
    const change = () => appendChange(deps, caller, params.uuid, { changes, ifMatch: headers['If-Match'] });
    return toVersionedAnswer(await runExclusively(name, change));
  };
