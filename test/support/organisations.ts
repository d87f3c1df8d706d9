// Two organisations on one chain, each with a tenant and two servers: the first founded the ledger, the other joined.
// The servers of an organisation share keys and blobs, and nothing else.
import { join } from 'node:path';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { createOperatorCommands } from '../../host/operator/operatorCommands.ts';
import { addWriterByLine, admitByLine } from '../../host/tenancy/tenantAnswers.ts';
import { requestTenant, requestWriter } from '../../host/tenancy/tenantRequests.ts';
import { watchTenants } from '../../host/tenancy/tenantWatch.ts';
import { createTenant } from '../../host/tenants.ts';
import { deployOn, type TestNetwork, toNetwork } from './chainKinds.ts';
import { type ExternalNode, setBalance } from './externalNode.ts';
import { type FixtureTenant, tenantAt } from './fixtureTenant.ts';
import { type ListeningServer, openTestLedger, serveTestLedger } from './testLedger.ts';
import { until } from './until.ts';

/** A server of an organisation. */
export interface OrganisationServer {
  readonly dataDir: string;
  readonly ledger: Ledger;
  readonly server: ListeningServer;
  /** The organisation's tenant as its clients reach it there. */
  readonly tenant: FixtureTenant;
}

/** An organisation. */
export interface Organisation {
  readonly name: string;
  readonly tenantIdentity: string;
  readonly sharedKeys: string;
  readonly blobsDir: string;
  readonly servers: readonly [OrganisationServer, OrganisationServer];
}

/** Where organisations are: a node, its network, and the directory of their data. */
export interface World {
  readonly node: ExternalNode;
  readonly network: TestNetwork;
  readonly directory: string;
}

// A server that was requested to serve begins that while it runs.
const untilServing = async (ledger: Ledger): Promise<void> => {
  const problems: unknown[] = [];
  const onProblem = (message: string, cause: unknown) => problems.push(message, cause);
  const { stop } = watchTenants(ledger, { onLine: () => undefined, onProblem, pauseMs: 20 });
  await until(async () => (await ledger.keyring.pendingTenants.list()).length === 0 || problems.length > 0);
  await stop();
  if (problems.length > 0) throw new Error(problems.map(String).join('; '));
};

/** Opens a ledger of a new server: deploys it, or joins that of the founder. */
export const openLedgerAt = async (
  { node, network }: World,
  dataDir: string,
  sharedKeys: string | undefined,
  founder?: Ledger,
): Promise<Ledger> => {
  if (founder === undefined) await deployOn(node, dataDir, network);
  const keyring = await openKeyring(dataPaths(dataDir).keys);
  await setBalance(node, (await keyring.openWallet('relayer')).address);
  const joined = founder && { contract: founder.contract };
  return openTestLedger(dataDir, { network: { ...network, ...joined }, ...(sharedKeys && { sharedKeys }) });
};

/** Creates the tenant of an organisation's first server; that of one that joined is admitted by the founder. */
export const createFirst = async (ledger: Ledger, name: string, founder: Ledger | undefined): Promise<string> => {
  if (founder === undefined) return (await createTenant(ledger, { name }, ledger.now())).identity;
  const { line, tenantIdentity } = await requestTenant(ledger, { name });
  await admitByLine(founder, line);
  await untilServing(ledger);
  return tenantIdentity;
};

const openOrganisation = async (world: World, name: string, founder?: Ledger): Promise<Organisation> => {
  const [sharedKeys, blobsDir] = ['keys', 'blobs'].map((what) => join(world.directory, `${name}-${what}`));
  const dataDirs = [1, 2].map((at) => join(world.directory, `${name}-${at}`));
  const first = await openLedgerAt(world, dataDirs[0]!, sharedKeys!, founder);
  const tenantIdentity = await createFirst(first, name, founder);
  const second = await openLedgerAt(world, dataDirs[1]!, sharedKeys!, founder ?? first);
  await addWriterByLine(first, (await requestWriter(second, tenantIdentity)).line);
  await untilServing(second);
  const serve = async (ledger: Ledger): Promise<OrganisationServer> => {
    const server = await serveTestLedger(ledger, { nodeUrls: [world.node.url], blobsDir: blobsDir! });
    const { token } = (await createOperatorCommands(ledger).token!({ tenant: name, role: 'root' })) as {
      token: string;
    };
    const created = { identity: tenantIdentity, displayName: name, clientId: '', clientSecret: '' };
    return { dataDir: ledger.dataDir, ledger, server, tenant: tenantAt(server, created, token) };
  };
  const servers = [await serve(first), await serve(second)] as const;
  return { name, tenantIdentity, sharedKeys: sharedKeys!, blobsDir: blobsDir!, servers };
};

/** Opens both organisations, with data below `directory`. */
export const openOrganisations = async (
  node: ExternalNode,
  directory: string,
): Promise<[Organisation, Organisation]> => {
  const world = { node, network: toNetwork(node.url), directory };
  const alpha = await openOrganisation(world, 'alpha');
  return [alpha, await openOrganisation(world, 'beta', alpha.servers[0].ledger)];
};

/** Closes all servers. The directories stay. */
export const closeOrganisations = async (organisations: readonly Organisation[]): Promise<void> => {
  for (const { servers } of organisations)
    for (const { server, ledger } of servers) {
      await server.close();
      await ledger.close();
    }
};

/**
 * The tenant of an organisation behind a load balancer: its requests reach both servers in turn, each once that server
 * shows all blocks of the node.
 */
export const balance = (node: ExternalNode, { servers }: Organisation): FixtureTenant => {
  let count = 0;
  const next = async (): Promise<FixtureTenant> => {
    const { ledger, tenant } = servers[count % servers.length]!;
    count += 1;
    await ledger.catchUpTo(Number(await node.request('eth_blockNumber', [])));
    return tenant;
  };
  return {
    ...servers[0].tenant,
    get: async (path, headers) => (await next()).get(path, headers),
    post: async (path, body, headers) => (await next()).post(path, body, headers),
    createAsset: async (attributes) => (await next()).createAsset(attributes),
    record: async (asset, note) => (await next()).record(asset, note),
  };
};
