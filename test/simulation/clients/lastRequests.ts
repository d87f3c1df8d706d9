// Requests after the last fault: a server that has lost nothing must still serve every client.
import { theWorld } from '../world/world.ts';
import { type ClientWorld, type Creation, create } from './creations.ts';
import { LISTS } from './lists.ts';
import { walkList } from './listWalk.ts';
import { readFirstAndLast, readLocation } from './reads.ts';

/** Begins the labels of the last requests. */
export const LAST_LABEL = 'last';

const KINDS = ['createEvent', 'createAsset', 'createLocation'] as const;

// Each list once to its end; the tenants divide its orders among them.
const walkLists = async (clients: ClientWorld, tenantIdentity: string, tenant: number): Promise<void> => {
  const [streamIdentity] = clients.history.streamsOf(tenantIdentity, 'assets');
  const walk = ({ list, ofAsset, orders }: (typeof LISTS)[number]): Promise<void> =>
    walkList(clients, {
      list,
      tenantIdentity,
      streamIdentity: ofAsset ? streamIdentity : undefined,
      order: orders[tenant % orders.length]!,
      pageSize: undefined,
    });
  await Promise.all(LISTS.map(walk));
};

const sendLast = async (clients: ClientWorld, tenantIdentity: string, tenant: number): Promise<void> => {
  const send = (kind: Creation['kind']): Promise<void> =>
    create(clients, {
      kind,
      label: `${LAST_LABEL} ${kind} ${tenant}`,
      renames: false,
      tenantIdentity,
      target: 0,
      isKeyed: true,
      repeatsUnkeyed: false,
      vanishes: false,
      isDoubled: false,
      // With the smallest outbox and slow blocks the last one waits long. The run has a bound for all.
      givesUp: false,
      rivalMs: -1,
    });
  await Promise.all(KINDS.map(send));
  await send('updateLocation');
  await readLocation(clients, tenantIdentity, 0);
  await readFirstAndLast(clients, tenantIdentity);
  await walkLists(clients, tenantIdentity, tenant);
};

/**
 * Sends one creation of each kind for each tenant, then an update, reads a location and a few records, and each list to
 * its end. Resolves when all clients have their answers.
 */
export const sendLastRequests = async (clients: ClientWorld, tenants: readonly string[]): Promise<void> => {
  clients.history.lastFromMs = theWorld().nowMs();
  await Promise.all(tenants.map((tenantIdentity, tenant) => sendLast(clients, tenantIdentity, tenant)));
};
