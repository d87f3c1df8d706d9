// Clients that read what they were answered: an answered record stays visible, and CONFIRMED is never revoked.
import { parseEventIdentity, toUuid } from '../../../ledger/identity.ts';
import type { LocationResource } from '../../../ledger/records/location.ts';
import type { SimulatedHandlers } from '../server/serverProcess.ts';
import { theWorld } from '../world/world.ts';
import { type ClientWorld, toSight } from './creations.ts';
import { describeOutcome, exchange, toOutcome } from './exchange.ts';
import type { CreatedBody, CreationRequest, History, Read } from './history.ts';
import { callAs } from './request.ts';

/** How many of the first, and of the last answered records the last requests read. */
const ENDS = 2;

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

type ReadResult<T> = Promise<{ readonly sentMs: number; readonly shown: T } | undefined>;

// Reads what an answer has shown. Resolves with undefined when the client doesn't see it.
const readShown = async <T>(
  { history, machine, network }: ClientWorld,
  { what, identity }: Pick<Read, 'what' | 'identity'>,
  call: (handlers: SimulatedHandlers) => Promise<T>,
): ReadResult<T> => {
  const sentMs = theWorld().nowMs();
  const result = await exchange(machine, network, call);
  const outcome = toOutcome(result);
  history.reads.push({ what, identity, sentMs, outcome });
  if (result !== 'lost' && 'answer' in result) return { sentMs, shown: result.answer };
  theWorld().note('client', () => `reads ${what}: ${describeOutcome(outcome)}`);
  return undefined;
};

const readRecord = async (clients: ClientWorld, request: CreationRequest): Promise<void> => {
  const { identity } = request.sights.at(-1)!;
  const what = request.label;
  const result = await readShown(clients, { what, identity }, (handlers) => read(handlers, request, identity));
  if (result === undefined) return;
  const sight = toSight(result.sentMs, result.shown);
  theWorld().note('client', () => `reads ${what}: ${sight.status}`);
  request.sights.push(sight);
};

const findAnswered = ({ requests }: History): CreationRequest[] =>
  requests.filter((request) => request.sights.length > 0 && !isLocation(request));

/** Reads the record of a request that was answered, if there is one, and notes what the client sees. */
export const readAgain = async (clients: ClientWorld, number: number): Promise<void> => {
  const answered = findAnswered(clients.history);
  const request = answered[number % answered.length];
  if (request !== undefined) await readRecord(clients, request);
};

/** Reads the first and the last few of a tenant's records that were answered, and notes what the client sees. */
export const readFirstAndLast = async (clients: ClientWorld, tenantIdentity: string): Promise<void> => {
  const answered = findAnswered(clients.history).filter((request) => request.tenantIdentity === tenantIdentity);
  const chosen = new Set([...answered.slice(0, ENDS), ...answered.slice(-ENDS)]);
  await Promise.all([...chosen].map((request) => readRecord(clients, request)));
};

/** Reads one of a tenant's locations, and notes which version the client sees. */
export const readLocation = async (clients: ClientWorld, tenantIdentity: string, number: number): Promise<void> => {
  const { history } = clients;
  const locations = history.streamsOf(tenantIdentity, 'locations');
  const identity = locations[number % locations.length]!;
  const params = { uuid: toUuid(identity) };
  const result = await readShown(clients, { what: identity, identity }, (handlers) =>
    callAs<LocationResource>(tenantIdentity, handlers.getLocation, { params }),
  );
  if (result === undefined) return;
  const { sentMs, shown } = result;
  theWorld().note('client', () => `reads ${identity}: the version of ${shown.attributes.label}`);
  history.locationSights.push({ sentMs, atMs: theWorld().nowMs(), shown });
};
