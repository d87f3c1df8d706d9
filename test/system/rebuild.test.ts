// The index is a function of the chain: a rebuilt index has the same keys and values.
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { createIndexStore } from '../../indexer/store.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { Principal } from '../../ledger/principal.ts';
import type { BlobResource } from '../../ledger/records/blob.ts';
import type { LocationResource } from '../../ledger/records/location.ts';
import { walletKeyOf } from '../server/support/subjectClient.ts';
import { CHAIN_KINDS, type TestNetwork } from '../support/chainKinds.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import { WALLET_KEY } from '../support/records.ts';
import { rejectionOf } from '../support/refusals.ts';
import { createTemporaryDirectory, openTestLedger, send, serveTestLedger } from '../support/testLedger.ts';

const upload = async (url: string, token: string, content: string): Promise<BlobResource> => {
  const body = new FormData();
  body.append('file', new Blob([content]), 'filename');
  const headers = { authorization: `Bearer ${token}` };
  return (await (await fetch(`${url}/archivist/v1/blobs`, { method: 'POST', headers, body })).json()) as BlobResource;
};

// Creates an application that is changed and one that is deleted, and adds a root principal.
const changeTenancy = async (tenant: FixtureTenant, url: string): Promise<void> => {
  const iam = `${url}/archivist/iam/v1/applications`;
  const create = async (name: string) =>
    (await send<{ client_id: string }>(iam, tenant.token, { body: { display_name: name, roles: ['reader'] } })).body;
  const [stays, goes] = [await create('stays'), await create('goes')];
  const body = { custom_claims: { site: 'north' } };
  await send(`${iam}/${stays.client_id}`, tenant.token, { method: 'PATCH', body });
  await send(`${iam}/${stays.client_id}:regenerate-secret`, tenant.token, { method: 'POST' });
  await send(`${iam}/${goes.client_id}`, tenant.token, { method: 'DELETE' });
  const path = `${url}/archivist/v1/tenancies/root_principals`;
  const { root_principals: current } = (await send<{ root_principals: Principal[] }>(path, tenant.token)).body;
  const next = { root_principals: [...current, { issuer: current[0]!.issuer, subject: 'another' }] };
  const { status } = await send(path, tenant.token, { method: 'PATCH', body: next });
  expect(status).to.equal(200);
};

// Creates an access policy that is changed and one that is deleted; one that is too large is not recorded.
const shareAssets = async (tenant: FixtureTenant, url: string): Promise<void> => {
  const iam = `${url}/archivist/iam/v1`;
  const policyOf = (names: readonly string[]) => ({
    display_name: 'open',
    filters: [{ or: ['count=*'] }],
    access_permissions: [{ user_attributes: [{ or: ['email=a@b.example'] }], asset_attributes_read: names }],
  });
  const create = (names: readonly string[]) =>
    send<{ identity: string }>(`${iam}/access_policies`, tenant.token, { body: policyOf(names) });
  const [stays, goes] = [(await create(['*'])).body, (await create(['count'])).body];
  const changed = await send(`${iam}/${stays.identity}`, tenant.token, { method: 'PATCH', body: { filters: [] } });
  const deleted = await send(`${iam}/${goes.identity}`, tenant.token, { method: 'DELETE' });
  const refused = await create(Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(800, 'x')));
  expect([changed.status, deleted.status, deleted.body, refused.status]).to.deep.equal([200, 200, {}, 413]);
};

// A subject that is changed and one that is deleted, and an access policy for the first.
const shareWithSubjects = async ({ token }: FixtureTenant, url: string): Promise<void> => {
  const create = async (collection: string, body: object): Promise<string> => {
    const created = await send<{ identity: string }>(`${url}/archivist/iam/v1/${collection}`, token, { body });
    expect(created.status).to.equal(200);
    return created.body.identity;
  };
  const [stays, goes] = [
    await create('subjects', { display_name: 'stays', wallet_pub_key: [WALLET_KEY] }),
    await create('subjects', { display_name: 'goes', wallet_pub_key: [WALLET_KEY, walletKeyOf(1)] }),
  ];
  const body = { wallet_pub_key: [walletKeyOf(2), walletKeyOf(3)] };
  await send(`${url}/archivist/iam/v1/${stays}`, token, { method: 'PATCH', body });
  await send(`${url}/archivist/iam/v1/${goes}`, token, { method: 'DELETE' });
  const access_permissions = [{ subjects: [stays], asset_attributes_read: ['*'] }];
  await create('access_policies', { display_name: 'open', filters: [], access_permissions });
};

// A public asset with an attachment and a location: every kind of record and every kind of row.
const writeEveryKind = async (tenant: FixtureTenant, url: string): Promise<void> => {
  const { body: location } = await tenant.post<LocationResource>('locations', {
    display_name: 'Yard',
    latitude: '51.5000',
    longitude: -0.1,
  });
  await send(`${url}/archivist/v2/${location.identity}`, tenant.token, {
    method: 'PATCH',
    body: { display_name: 'Yard 2', attributes: { gate: 'B' } },
  });
  const { identity, hash } = await upload(url, tenant.token, `manual of ${tenant.clientId}`);
  const { body: asset } = await tenant.post<AssetResource>('assets', {
    behaviours: ['Attachments', 'LocationUpdate'],
    public: true,
  });
  const attached = await tenant.post(`${asset.identity}/events`, {
    behaviour: 'Attachments',
    operation: 'Attach',
    event_attributes: {
      arc_append_attachments: [
        {
          arc_attachment_identity: identity,
          arc_display_name: 'manual',
          arc_hash_value: hash.value,
          arc_hash_alg: hash.alg,
        },
      ],
    },
  });
  const moved = await tenant.post(`${asset.identity}/events`, {
    behaviour: 'LocationUpdate',
    operation: 'SetHomeLocation',
    asset_attributes: { arc_home_location_identity: location.identity },
  });
  expect([attached.status, moved.status]).to.deep.equal([200, 200]);
};

// Two tenants write at once, with several starts, so that the index is built in many steps.
const writeHistory = async (dataDir: string, starts: number, network?: TestNetwork): Promise<void> => {
  for (let start = 0; start < starts; start += 1) {
    const ledger = await openTestLedger(dataDir, { network });
    const server = await serveTestLedger(ledger);
    const tenants = [
      await createFixtureTenant(ledger, server, `alpha ${start}`),
      await createFixtureTenant(ledger, server, `beta ${start}`),
    ];
    const write = async (count: number): Promise<void> => {
      const tenant = tenants[count % 2]!;
      const asset = await tenant.createAsset({ count: String(count) });
      await tenant.record(asset, 'one');
      await tenant.post(`${asset.identity}/events`, { behaviour: 'Builtin', operation: 'StopTracking' });
      await tenant.record(asset, 'two');
      if (count % 3 === 0)
        await tenant.post(`${asset.identity}/events`, { behaviour: 'Builtin', operation: 'StartTracking' });
    };
    await Promise.all([
      ...Array.from({ length: 12 }, (_, count) => write(count)),
      ...tenants.map((tenant) => writeEveryKind(tenant, server.url)),
      ...tenants.map((tenant) => changeTenancy(tenant, server.url)),
      ...tenants.map((tenant) => shareAssets(tenant, server.url)),
      ...tenants.map((tenant) => shareWithSubjects(tenant, server.url)),
    ]);
    await server.close();
    await ledger.close();
  }
};

describe('the index rebuilt from the chain', () => {
  for (const kind of CHAIN_KINDS)
    it(`equals, key by key, the one that was built while the server ran, on ${kind.name}`, async () => {
      const directory = await createTemporaryDirectory();
      const network = await kind.prepare(directory.path);
      await writeHistory(directory.path, 3, network);
      const incremental = await dumpDirectory(directory.path);
      await rm(dataPaths(directory.path).index, { recursive: true });
      const ledger = await openTestLedger(directory.path, { network });
      await ledger.close();
      const rebuilt = await dumpDirectory(directory.path);
      expect(incremental.size).to.be.greaterThan(400);
      expect([...rebuilt]).to.deep.equal([...incremental]);
      await directory.remove();
    });

  it('of another chain is kept, and the start is refused', async () => {
    const [one, other] = [await createTemporaryDirectory(), await createTemporaryDirectory()];
    await writeHistory(one.path, 1);
    await writeHistory(other.path, 1);
    await rm(dataPaths(one.path).index, { recursive: true });
    const foreign = await createIndexStore(dataPaths(other.path).index);
    const store = await createIndexStore(dataPaths(one.path).index);
    const cursor = (await foreign.readCursor())!;
    for await (const [key, value] of foreign.entries()) await store.apply([{ key, value }], cursor);
    await foreign.close();
    await store.close();
    expect(await rejectionOf(openTestLedger(one.path))).to.equal('CHAIN_CORRUPT');
    expect([...(await dumpDirectory(one.path))]).to.deep.equal([...(await dumpDirectory(other.path))]);
    await one.remove();
    await other.remove();
  });
});
