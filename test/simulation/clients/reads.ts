// Clients that read what they were answered: an answered record stays visible, and CONFIRMED is never revoked.
import { parseEventIdentity, toUuid } from '../../../ledger/identity.ts';
import type { SimulatedHandlers } from '../server/serverProcess.ts';
import { theWorld } from '../world/world.ts';
import { type ClientWorld, type CreatedBody, toSight } from './creations.ts';
import { exchange } from './exchange.ts';
import type { CreationRequest } from './history.ts';
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

/** Reads the record of a request that was answered, if there is one, and notes what the client sees. */
export const readAgain = async (clients: ClientWorld, number: number): Promise<void> => {
  const { history, machine, network } = clients;
  const answered = history.requests.filter(({ sights, kind }) => sights.length > 0 && kind !== 'createLocation');
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
