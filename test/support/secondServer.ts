// Another server of a tenant of a network fixture: a data directory of its own, with its own author and relayer.
import { copyFile } from 'node:fs/promises';
import { admitTenant } from '../../chain/administration.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import type { LedgerLimits } from '../../host/ledgerOptions.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { toAdministratorName, toAuthorName } from '../../host/wallets/tenantWallets.ts';
import { toUuid } from '../../ledger/identity.ts';
import type { TestNetwork } from './chainKinds.ts';
import { type ExternalNode, setBalance } from './externalNode.ts';
import { type FixtureTenant, tenantAt } from './fixtureTenant.ts';
import type { NetworkFixture } from './networkFixture.ts';
import { createTemporaryDirectory, openTestLedger, serveTestLedger } from './testLedger.ts';

/** A second server, and the tenant as its clients reach it there. */
export interface SecondServer {
  readonly dataDir: string;
  readonly ledger: Ledger;
  readonly alpha: FixtureTenant;
  readonly problems: string[];
  readonly url: string;
  /** Stops it. The directory stays with `keeps`. */
  close(options?: { keeps: boolean }): Promise<void>;
  remove(): Promise<void>;
}

/** Differences from a server with keys of its own. */
export interface SecondServerOptions {
  readonly limits?: Partial<LedgerLimits>;
  /** Names of wallets that are those of the first server. */
  readonly blobsDir?: string;
  readonly sameKeys?: readonly ('relayer' | 'author')[];
}

/** Prepares a data directory for a second server of the fixture's tenant, and adds its author as a writer. */
const prepare = async (
  node: ExternalNode,
  { dataDir, ledger, alpha }: NetworkFixture,
  path: string,
  sameKeys: SecondServerOptions['sameKeys'] = [],
): Promise<void> => {
  const [own, other] = [dataPaths(path), dataPaths(dataDir)];
  const keyring = await openKeyring(own.keys);
  const uuid = toUuid(alpha.identity);
  const same = sameKeys.map((name) => `${name === 'author' ? toAuthorName(uuid) : name}.key`);
  for (const name of ['ledger-administrator.key', ...same])
    await copyFile(`${other.keys}/${name}`, `${own.keys}/${name}`);
  await copyFile(other.network, own.network);
  await setBalance(node, (await keyring.openWallet('relayer')).address);
  const wallets = {
    ledgerAdministrator: await ledger.keyring.openWallet('ledger-administrator'),
    tenantAdministrator: await ledger.keyring.openWallet(toAdministratorName(uuid)),
    writer: await keyring.openWallet(toAuthorName(uuid)),
  };
  await admitTenant(ledger.chain, ledger.contract, alpha.identity, wallets, ledger.relayer);
};

/** Opens a second server on the node. */
export const openSecondServer = async (
  node: ExternalNode,
  network: TestNetwork,
  fixture: NetworkFixture,
  { limits = {}, sameKeys, blobsDir }: SecondServerOptions = {},
): Promise<SecondServer> => {
  const { path, remove } = await createTemporaryDirectory();
  await prepare(node, fixture, path, sameKeys);
  const problems: string[] = [];
  const sharedKeys = dataPaths(fixture.dataDir).keys;
  const ledger = await openTestLedger(path, { network, limits, problems, sharedKeys });
  const server = await serveTestLedger(ledger, { nodeUrls: network.urls, ...(blobsDir && { blobsDir }) });
  return {
    dataDir: path,
    ledger,
    problems,
    url: server.url,
    alpha: tenantAt(server, fixture.alpha, fixture.alpha.token),
    remove,
    close: async ({ keeps } = { keeps: false }) => {
      await server.close();
      await ledger.close();
      if (!keeps) await remove();
    },
  };
};
