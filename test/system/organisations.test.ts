// Two organisations of two servers each on one chain. Clients of an organisation reach either of its servers in turn.
import { expect } from 'chai';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { toChecksumAddress } from '../../ledger/encoding/address.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { LocationResource } from '../../ledger/records/location.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { balance, closeOrganisations, type Organisation, openOrganisations } from '../support/organisations.ts';
import { describeRestStories } from '../support/restStories.ts';
import { send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

interface AssetPage {
  readonly assets: readonly AssetResource[];
  readonly next_page_token: string;
}
const identitiesOf = ({ assets }: AssetPage): string[] => assets.map(({ identity }) => identity);
interface Problem {
  readonly details: readonly { readonly error: string }[];
}

describe('two organisations of two servers each', () => {
  const createDirectory = useDirectories();
  let node: ExternalNode;
  let organisations: [Organisation, Organisation];
  before(async () => {
    node = await startNode(QUICK_NODE);
    organisations = await openOrganisations(node, await createDirectory());
  });
  after(async () => {
    await closeOrganisations(organisations);
    await node.kill();
  });

  describeRestStories('servers in turn', () => () => {
    const [first, other] = organisations;
    const [one, two] = first.servers;
    const authors = first.servers.map(({ ledger }) =>
      toChecksumAddress(ledger.wallets.findAddress(first.tenantIdentity)!),
    );
    const tenants = { alpha: balance(node, first), beta: balance(node, other) };
    return { ledger: one.ledger, server: two.server, authors, ...tenants };
  });

  it('accept the tokens of their own servers, and of no server of the other organisation', async () => {
    for (const issuing of organisations)
      for (const { tenant } of issuing.servers)
        for (const asked of organisations)
          for (const { server } of asked.servers) {
            const { status } = await send(`${server.url}/archivist/v2/assets`, tenant.token);
            expect(status).to.equal(asked === issuing ? 200 : 401);
          }
  });

  it('know the tenants of the other organisation neither by name nor by public asset', async () => {
    const [first, other] = organisations;
    const { body: asset } = await balance(node, first).post<AssetResource>('assets', { public: true, attributes: {} });
    const path = `archivist/v2/public${asset.identity}`;
    for (const { server } of first.servers) {
      await until(async () => (await fetch(`${server.url}/${path}`)).status === 200);
    }
    for (const { server, ledger } of other.servers) {
      await ledger.catchUpTo(Number(await node.request('eth_blockNumber', [])));
      expect((await fetch(`${server.url}/${path}`)).status).to.equal(404);
      expect(await ledger.view.readTenantIdentity(first.name)).to.equal(undefined);
    }
  });

  it('read on one server the files that the other has received', async () => {
    const [{ servers }] = organisations;
    for (const [at, { server, tenant }] of servers.entries()) {
      const form = new FormData();
      form.set('file', new Blob([`content of ${at}`]), 'filename');
      const headers = { authorization: `Bearer ${tenant.token}` };
      const uploaded = await fetch(`${server.url}/archivist/v1/blobs`, { method: 'POST', body: form, headers });
      const { identity } = (await uploaded.json()) as { identity: string };
      const other = servers[1 - at]!;
      await other.ledger.catchUpTo(Number(await node.request('eth_blockNumber', [])));
      const read = await fetch(`${other.server.url}/archivist/v1/${identity}?allow_insecure=true`, { headers });
      expect([read.status, await read.text()]).to.deep.equal([200, `content of ${at}`]);
    }
  });

  it('continue a list on one server with the page token of the other', async () => {
    const [{ servers }] = organisations;
    const [one, two] = servers;
    for (let count = 0; count < 4; count += 1) await one.tenant.createAsset();
    await two.ledger.catchUpTo(Number(await node.request('eth_blockNumber', [])));
    const page = await one.tenant.get<AssetPage>('assets?page_size=2');
    const query = `assets?page_token=${encodeURIComponent(page.body.next_page_token)}`;
    const [own, other] = [await one.tenant.get<AssetPage>(query), await two.tenant.get<AssetPage>(query)];
    expect([own.status, other.status]).to.deep.equal([200, 200]);
    expect(identitiesOf(other.body)).to.deep.equal(identitiesOf(own.body));
    expect(identitiesOf(own.body)).to.have.length(2);
  });

  it('answer one of two changes that follow the same version with 409, and keep the other', async () => {
    const [{ servers }] = organisations;
    const body = { display_name: 'Berth', latitude: '1', longitude: '2' };
    const { body: location } = await servers[0].tenant.post<LocationResource>('locations', body);
    await servers[1].ledger.catchUpTo(Number(await node.request('eth_blockNumber', [])));
    await node.request('evm_setAutomine', [false]);
    const changes = servers.map(({ server, tenant }, at) =>
      send<LocationResource & Problem>(`${server.url}/archivist/v2/${location.identity}`, tenant.token, {
        method: 'PATCH',
        body: { description: `change ${at}` },
      }),
    );
    await until(() => servers.every(({ ledger }) => ledger.outbox.pendingCount() > 0));
    await node.request('evm_setAutomine', [true]);
    await node.request('evm_mine', []);
    const answers = await Promise.all(changes);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    const refused = answers.find(({ status }) => status === 409)!.body;
    expect(refused.details[0]!.error).to.equal('VERSION_CONFLICT');
    const kept = answers.find(({ status }) => status === 200)!.body;
    for (const { tenant, ledger } of servers) {
      await ledger.catchUpTo(Number(await node.request('eth_blockNumber', [])));
      const { body: shown } = await tenant.get<LocationResource>(location.identity);
      expect(shown.description).to.equal(kept.description);
    }
  });

  it('delete a policy once, when both servers get the deletion at the same moment', async () => {
    const [{ servers }] = organisations;
    const urlOf = ({ server }: (typeof servers)[number], path: string) => `${server.url}/archivist/v1/${path}`;
    const policies = 'compliance_policies';
    const [one, two] = servers;
    const created = await send<{ identity: string }>(urlOf(one, policies), one.tenant.token, {
      body: {
        compliance_type: 'COMPLIANCE_RICHNESS',
        description: 'has a name',
        display_name: 'named',
        asset_filter: [{ or: ['attributes.arc_display_type=Door'] }],
        richness_assertions: [{ or: ['radiation_level<7'] }],
      },
    });
    expect(created.status).to.equal(200);
    await two.ledger.catchUpTo(Number(await node.request('eth_blockNumber', [])));
    await node.request('evm_setAutomine', [false]);
    const path = created.body.identity;
    const deletions = servers.map((server) => send(urlOf(server, path), server.tenant.token, { method: 'DELETE' }));
    await until(() => servers.every(({ ledger }) => ledger.outbox.pendingCount() > 0));
    await node.request('evm_setAutomine', [true]);
    await node.request('evm_mine', []);
    expect((await Promise.all(deletions)).map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    for (const server of servers) {
      await server.ledger.catchUpTo(Number(await node.request('eth_blockNumber', [])));
      expect((await send(urlOf(server, path), server.tenant.token)).status).to.equal(404);
    }
  });

  it('show each record of both servers in one history, once', async () => {
    const [{ servers }] = organisations;
    const asset = await balance(node, organisations[0]).createAsset();
    for (const { ledger } of servers) await ledger.catchUpTo(Number(await node.request('eth_blockNumber', [])));
    const notes = Array.from({ length: 30 }, (_, at) => at);
    const answers = await Promise.all(notes.map((at) => servers[at % 2]!.tenant.record(asset, String(at))));
    const identities = answers.map(({ body }) => body.identity).sort();
    for (const { tenant, ledger } of servers) {
      await ledger.catchUpTo(Number(await node.request('eth_blockNumber', [])));
      const { body } = await tenant.get<{ events: EventResource[] }>(`${asset.identity}/events?page_size=100`);
      const recorded = body.events.filter(({ operation }) => operation === 'Record');
      expect(recorded.map(({ identity }) => identity).sort()).to.deep.equal(identities);
    }
  });
});
