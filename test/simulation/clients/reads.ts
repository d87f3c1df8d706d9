// Clients that read what they were answered: an answered record stays visible, and CONFIRMED is never revoked.
import { parseEventIdentity, toUuid } from '../../../ledger/identity.ts';
import type { LocationResource } from '../../../ledger/records/location.ts';
import type { SimulatedHandlers } from '../server/serverProcess.ts';
import { theWorld } from '../world/world.ts';
import { type ClientWorld, toSight } from './creations.ts';
import { exchange } from './exchange.ts';
import type { CreatedBody, CreationRequest } from './history.ts';
import { callAs } from './request.ts';

const read = (
  handlers: SimulatedHandlers,
  { tenantIdentity }: CreationRequest,
  identity: string,
): Promise<CreatedBody> => {
  const event = parseEventIdentity(identity);
  if (event === undefined) return callAs(tenantIdentity, handlers.getAsset, { params: { uuid: toUuid(identity) } });
  const params = { asset_uuid: event.assetUuid, uuid: event.eventUuid };
  return callAs(tenantIdentity, handlers.getEvent, { params });
};

const isLocation = ({ kind }: CreationRequest): boolean => kind === 'createLocation' || kind === 'updateLocation';

/** Reads the record of a request that was answered, if there is one, and notes what the client sees. */
export const readAgain = async (clients: ClientWorld, number: number): Promise<void> => {
  const { history, machine, network } = clients;
  const answered = history.requests.filter((request) => request.sights.length > 0 && !isLocation(request));
  const request = answered[number % answered.length];
  if (request === undefined) return;
  const before = request.sights.at(-1)!;
  const sentMs = theWorld().nowMs();
  const result = await exchange(machine, network, (handlers) => read(handlers, request, before.identity));
  if (result === 'lost') return;
  if ('refusal' in result) {
    theWorld().note('client', () => `reads ${request.label}: refused with ${result.refusal}`);
    if (/_NOT_FOUND$|^500/.test(result.refusal))
      history.complaints.push(`${request.label} was answered, and a read answers ${result.refusal}`);
    return;
  }
  const sight = toSight(sentMs, result.answer);
  theWorld().note('client', () => `reads ${request.label}: ${sight.status}`);
  request.sights.push(sight);
};

/** Reads one of a tenant's locations, and notes which version the client sees. */
export const readLocation = async (clients: ClientWorld, tenantIdentity: string, number: number): Promise<void> => {
  const { history, machine, network } = clients;
  const locations = history.streamsOf(tenantIdentity, 'locations');
  const identity = locations[number % locations.length]!;
  const params = { uuid: toUuid(identity) };
  const sentMs = theWorld().nowMs();
  const result = await exchange(machine, network, (handlers) =>
    callAs<LocationResource>(tenantIdentity, handlers.getLocation, { params }),
  );
  const what = `reads ${identity}`;
  if (result === 'lost') return theWorld().note('client', () => `${what}: no answer`);
  if ('refusal' in result) {
    theWorld().note('client', () => `${what}: refused with ${result.refusal}`);
    history.locationRefusals.push({ identity, refusal: result.refusal });
    return;
  }
  const shown = result.answer;
  theWorld().note('client', () => `${what}: the version of ${shown.attributes.label}`);
  history.locationSights.push({ sentMs, atMs: theWorld().nowMs(), shown });
};
