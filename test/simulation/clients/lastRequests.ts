// Requests after the last fault: a server that has lost nothing must still serve every client.
import { type ClientWorld, type Creation, create } from './creations.ts';
import { readLocation } from './reads.ts';

/** Begins the labels of the last requests. */
export const LAST_LABEL = 'last';

const KINDS = ['createEvent', 'createAsset', 'createLocation'] as const;

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
};

/**
 * Sends one creation of each kind for each tenant, then an update, and reads a location. Resolves when all clients have
 * their answers.
 */
export const sendLastRequests = async (clients: ClientWorld, tenants: readonly string[]): Promise<void> => {
  await Promise.all(tenants.map((tenantIdentity, tenant) => sendLast(clients, tenantIdentity, tenant)));
};
