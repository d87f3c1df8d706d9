// Requests after the last fault: a server that has lost nothing must still serve every client.
import { type ClientWorld, create } from './creations.ts';

/** Begins the labels of the last requests. */
export const LAST_LABEL = 'last';

const KINDS = ['createEvent', 'createAsset', 'createLocation'] as const;

/** Sends one creation of each kind for each tenant. Resolves when all clients have their answers or have given up. */
export const sendLastRequests = async (clients: ClientWorld, tenants: readonly string[]): Promise<void> => {
  const sending = tenants.flatMap((tenantIdentity, tenant) =>
    KINDS.map((kind) =>
      create(clients, {
        kind,
        label: `${LAST_LABEL} ${kind} ${tenant}`,
        tenantIdentity,
        assetNumber: 0,
        isKeyed: true,
        repeatsUnkeyed: false,
        vanishes: false,
        isDoubled: false,
      }),
    ),
  );
  await Promise.all(sending);
};
