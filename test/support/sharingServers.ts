// Two organisations with a server each on one network, which know each other's tenants: each has set SHARING_TENANTS to
// the other's. The servers share neither keys nor files.
import { join } from 'node:path';
import type { Ledger } from '../../host/openLedger.ts';
import { createOperatorCommands } from '../../host/operator/operatorCommands.ts';
import { toNetwork } from './chainKinds.ts';
import type { ExternalNode } from './externalNode.ts';
import { type FixtureTenant, tenantAt } from './fixtureTenant.ts';
import { createFirst, openLedgerAt } from './organisations.ts';
import { type JsonAnswer, type ListeningServer, openTestLedger, send, serveTestLedger } from './testLedger.ts';

/** An organisation's server, and its tenant as clients reach it there. */
export interface SharingServer {
  readonly ledger: Ledger;
  readonly server: ListeningServer;
  readonly tenant: FixtureTenant;
  /** Sends a request of the tenant, once the server has all blocks of the node. `path`: below `/archivist`. */
  request<T>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<JsonAnswer<T>>;
  close(): Promise<void>;
}

const serve = async (node: ExternalNode, ledger: Ledger, name: string, identity: string): Promise<SharingServer> => {
  const server = await serveTestLedger(ledger, { nodeUrls: [node.url] });
  const { token } = (await createOperatorCommands(ledger).token!({ tenant: name, role: 'root' })) as { token: string };
  return {
    ledger,
    server,
    tenant: tenantAt(server, { identity, displayName: name, clientId: '', clientSecret: '' }, token),
    request: async (method, path, body, headers) => {
      await ledger.catchUpTo(Number(await node.request('eth_blockNumber', [])));
      return send(`${server.url}/archivist/${path}`, token, {
        method,
        ...(body && { body }),
        ...(headers && { headers }),
      });
    },
    close: async () => {
      await server.close();
      await ledger.close();
    },
  };
};

/** Opens both, with data below `directory`: the founder's `alpha`, and `beta`, which joined. */
export const openSharingServers = async (
  node: ExternalNode,
  directory: string,
): Promise<[SharingServer, SharingServer]> => {
  const network = toNetwork(node.url);
  const world = { node, network, directory };
  const [x, y] = [join(directory, 'x'), join(directory, 'y')];
  const founder = await openLedgerAt(world, x, undefined);
  const alpha = await createFirst(founder, 'alpha', undefined);
  const joined = await openLedgerAt(world, y, undefined, founder);
  const beta = await createFirst(joined, 'beta', founder);
  const { contract } = founder;
  await founder.close();
  await joined.close();
  const reopen = (dataDir: string, other: string): Promise<Ledger> =>
    openTestLedger(dataDir, { network: { ...network, contract }, sharingTenants: [other] });
  return [
    await serve(node, await reopen(x, beta), 'alpha', alpha),
    await serve(node, await reopen(y, alpha), 'beta', beta),
  ];
};
