// Two organisations with a server each on one network: what one of them records, even before the other, changes nothing
// that the other one's server answers.
import { cp, mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { listTenants } from '../../host/tenancy/listTenants.ts';
import { createTenant } from '../../host/tenants.ts';
import { toAuthorName } from '../../host/wallets/tenantWallets.ts';
import { readLedgerState } from '../../host/watching/ledgerState.ts';
import { toApplicationIdentity, toUuid, toVersionIdentity } from '../../ledger/identity.ts';
import { encodePayload, type LedgerRecord } from '../../ledger/records/record.ts';
import { toSecretHash } from '../../server/auth/clientSecret.ts';
import { deployOn, toNetwork } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import {
  A_FAILURE,
  aBlobRecord,
  aCreation,
  aLocationRecord,
  anApplicationRecord,
  anAttach,
  SETTINGS,
  uuidOf,
} from '../support/records.ts';
import { rejectionOf } from '../support/refusals.ts';
import { type ListeningServer, openTestLedger, send, serveTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const PUBLIC = { ...SETTINGS, behaviours: [...SETTINGS.behaviours, 'Attachments'], public: true };
const SECRET = 'a secret that only its tenant knows';
const CONTENT = '7e'.repeat(32);

// The same UUIDs, client id and name, of each organisation with an owner of its own.
const contested = (owner: string): LedgerRecord[] => [
  anApplicationRecord(1, {
    identity: toVersionIdentity(toApplicationIdentity(uuidOf(1)), uuidOf(1)),
    display_name: owner,
    roles: ['writer'],
    secret_sha256: toSecretHash(`${SECRET} ${owner}`),
  }),
  aLocationRecord(1, { display_name: owner }),
  aBlobRecord(1, { sha256: CONTENT, mime_type: `text/${owner}` }),
  aCreation({ asset_settings: PUBLIC, asset_attributes: { owner } }),
  anAttach([1]),
];

describe('the servers of two organisations on one network', () => {
  const makeDirectory = useDirectories();
  let node: ExternalNode;
  let x: Ledger;
  let y: Ledger;
  let server: ListeningServer;
  let alpha: FixtureTenant;
  let other: FixtureTenant;
  const problems: string[] = [];

  const network = () => toNetwork(node.url);
  const reopen = (servedTenants?: readonly string[]): Promise<Ledger> =>
    openTestLedger(y.dataDir, { network: network(), problems, ...(servedTenants && { servedTenants }) });

  before(async () => {
    node = await startNode(QUICK_NODE);
    const [first, second] = [await makeDirectory(), await makeDirectory()];
    await deployOn(node, first, network());
    // The founder's key admits tenants here; its own organisation's keys are not there.
    const { keys } = dataPaths(second);
    await mkdir(keys, { recursive: true, mode: 0o700 });
    await cp(dataPaths(first).network, dataPaths(second).network);
    await cp(join(dataPaths(first).keys, 'ledger-administrator.key'), join(keys, 'ledger-administrator.key'));
    await setBalance(node, (await (await openKeyring(keys)).openWallet('relayer')).address);
    x = await openTestLedger(first, { network: network() });
    y = await openTestLedger(second, { network: network(), problems });
    server = await serveTestLedger(y);
    const serverX = await serveTestLedger(x);
    other = await createFixtureTenant(x, serverX, 'contested');
    for (const record of contested('x')) await x.writer.append(other.identity, record);
    await serverX.close();
    alpha = await createFixtureTenant(y, server, 'contested');
    for (const record of contested('y')) await y.writer.append(alpha.identity, record);
    await until(async () => {
      const [one, two] = await Promise.all([x, y].map(readLedgerState));
      return one!.indexBlock === two!.indexBlock;
    });
  });
  after(async () => {
    await server?.close();
    await Promise.all([x, y].map((ledger) => ledger?.close()));
    await node?.kill();
  });

  it('show their own public asset, blob and location of the same UUID', async () => {
    const shown = await (await fetch(`${server.url}/archivist/v2/publicassets/${uuidOf(1)}`)).json();
    expect((shown as { attributes: { owner: string } }).attributes.owner).to.equal('y');
    const location = await alpha.get<{ display_name: string }>(`locations/${uuidOf(1)}`);
    expect(location.body.display_name).to.equal('y');
    const blobs = await y.view.listPublicBlobs(
      { sha256: CONTENT, attachedByMax: 9 },
      { limit: 9, position: undefined },
    );
    expect(blobs.items.map(({ blob }) => blob.mime_type)).to.deep.equal(['text/y']);
    expect(await y.view.readPublicTenant(uuidOf(1))).to.equal(alpha.identity);
    expect(await x.view.readPublicTenant(uuidOf(1))).to.equal(other.identity);
  });

  it('give tokens for the secrets of their own tenants only, also when another one recorded the client id first', async () => {
    const request = (secret: string, clientId = uuidOf(1)) =>
      fetch(`${server.url}/archivist/iam/v1/appidp/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
      });
    expect((await request(`${SECRET} y`)).status).to.equal(200);
    expect((await request(`${SECRET} x`)).status).to.equal(401);
    expect((await request(other.clientSecret, other.clientId)).status).to.equal(401);
    expect((await request(alpha.clientSecret, alpha.clientId)).status).to.equal(200);
    const refused = await send(`${server.url}/archivist/v2/assets`, other.token);
    expect(refused.status).to.equal(401);
  });

  it('know a tenant by its name and identity only where it is served', async () => {
    const info = (identity: string) =>
      send(`${server.url}/archivist/v1/tenancies/${toUuid(identity)}:publicinfo`, alpha.token);
    expect((await info(alpha.identity)).status).to.equal(200);
    expect((await info(other.identity)).status).to.equal(404);
    expect(await y.view.readTenantIdentity('contested')).to.equal(alpha.identity);
  });

  it('serve a tenant whose key is added while they run, with the records that it has', async () => {
    const name = `${toAuthorName(toUuid(other.identity))}.key`;
    await cp(join(dataPaths(x.dataDir).keys, name), join(dataPaths(y.dataDir).keys, name));
    problems.splice(0);
    await y.wallets.add(other.identity);
    expect((await y.view.readAsset(other.identity, uuidOf(1)))?.state.attributes.owner).to.equal('x');
    await until(() => problems.includes('the index has been rebuilt'));
    expect(problems.filter((line) => line.includes('rebuilt from the chain'))).to.have.length(1);
    expect((await alpha.record({ identity: `assets/${uuidOf(1)}` }, 'still here')).status).to.equal(200);
  });

  it('serve exactly the tenants of SERVED_TENANTS, and to read only without a key', async () => {
    await server.close();
    await y.close();
    problems.splice(0);
    y = await reopen([alpha.identity]);
    expect(problems.join()).to.include('rebuilt from the chain');
    expect(await y.view.readAsset(other.identity, uuidOf(1))).to.equal(undefined);
    expect(await rejectionOf(y.writer.append(other.identity, aLocationRecord(2)))).to.equal('TENANT_NOT_FOUND');
    expect(await rejectionOf(createTenant(y, { name: 'another' }, y.now()))).to.equal('REQUEST_INVALID');
    await y.close();
    problems.splice(0);
    const gamma = await createTenant(x, { name: 'gamma' }, x.now());
    y = await reopen([gamma.identity, alpha.identity]);
    server = await serveTestLedger(y);
    expect(await y.view.readTenantIdentity('gamma')).to.equal(gamma.identity);
    expect(await rejectionOf(y.writer.append(gamma.identity, aLocationRecord(2)))).to.equal('AUTHOR_UNAVAILABLE');
    const token = await (
      await fetch(`${server.url}/archivist/iam/v1/appidp/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: gamma.clientId,
          client_secret: gamma.clientSecret,
        }),
      })
    ).json();
    const { access_token } = token as { access_token: string };
    const assets = `${server.url}/archivist/v2/assets`;
    expect((await send(assets, access_token)).status).to.equal(200);
    const refused = await send<{ details: { error: string }[] }>(assets, access_token, { body: { attributes: {} } });
    expect([refused.status, refused.body.details[0]!.error]).to.deep.equal([503, 'AUTHOR_UNAVAILABLE']);
  });

  it('go on reading a tenant whose key is lost, and say so, until it is there again', async () => {
    const path = join(dataPaths(y.dataDir).keys, `${toAuthorName(toUuid(alpha.identity))}.key`);
    await server.close();
    await y.close();
    y = await reopen();
    await y.close();
    await rename(path, `${path}.lost`);
    problems.splice(0);
    for (let start = 0; start < 2; start += 1) {
      y = await reopen();
      expect((await y.view.readAsset(alpha.identity, uuidOf(1)))?.state.attributes.owner).to.equal('y');
      expect(await rejectionOf(y.writer.append(alpha.identity, aLocationRecord(2)))).to.equal('AUTHOR_UNAVAILABLE');
      expect((await readLedgerState(y)).unavailableAuthors).to.equal(2);
      const listed = await listTenants(y);
      expect(listed.find(({ tenantIdentity }) => tenantIdentity === alpha.identity)?.state).to.equal('reading');
      await y.close();
    }
    expect(problems.filter((line) => line.includes(basename(path)))).to.have.length(2);
    expect(problems.filter((line) => line.includes('rebuilt from the chain'))).to.deep.equal([]);
    await rename(`${path}.lost`, path);
    y = await reopen();
    expect((await listTenants(y)).find(({ tenantIdentity }) => tenantIdentity === alpha.identity)?.state).to.equal(
      'serving',
    );
    server = await serveTestLedger(y);
  });

  it('keep the records that wait of a tenant that is served no more until it is served again', async () => {
    const gamma = (await x.view.readTenantIdentity('gamma'))!;
    await server.close();
    await y.close();
    y = await openTestLedger(y.dataDir, { network: network(), limits: { commitWaitMs: 100 } });
    await node.request('evm_setAutomine', [false]);
    expect((await y.writer.append(alpha.identity, aLocationRecord(3))).confirmation_status).to.equal('PENDING');
    await y.close();
    await node.request('evm_setAutomine', [true]);
    await node.request('evm_mine', []);
    y = await reopen([gamma]);
    await until(() => y.writer.countParked().records === 1);
    expect(y.outbox.pendingCount()).to.equal(1);
    await y.close();
    y = await reopen();
    await until(async () => y.outbox.pendingCount() === 0);
    const refused = aLocationRecord(4);
    const entry = y.outbox.admit(alpha.identity, refused, encodePayload(refused));
    await y.outbox.store([entry]);
    await y.outbox.fail(entry, A_FAILURE);
    await y.close();
    y = await reopen([gamma]);
    server = await serveTestLedger(y);
  });
});
