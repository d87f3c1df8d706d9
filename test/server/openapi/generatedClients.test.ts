// Queries of generated clients (decision 55): the orders and filters of the predecessor's interface, and values for
// parameters that their caller omitted.
import { expect } from 'chai';
import { expectProblem } from '../support/expectProblem.ts';
import { createALocation, createAnAsset, createAnEvent, createAPolicy } from '../support/requests.ts';
import { startTestServer } from '../support/testServer.ts';
import { useServer } from '../support/useServer.ts';

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

describe('lists for generated clients', () => {
  const server = useServer();
  const assets: string[] = [];
  before(async () => {
    for (let at = 0; at < 4; at += 1) {
      assets.push(`assets/${await createAnAsset(server, { public: true })}`);
      // Two pairs, each accepted in the same millisecond.
      if (at % 2 === 1) server.clock.atMs += 1000;
    }
    await createAnEvent(server, assets[0]!.slice('assets/'.length));
    await createALocation(server);
    await createAPolicy(server);
  });

  const get = (path: string) => server.request('GET', `/svc/${path}`, { as: server.tenant.root });
  const identitiesOf = async (query: string): Promise<string[]> => {
    const { status, body } = await get(`v2/assets?${query}`);
    expect([query, status]).to.eql([query, 200]);
    return body.assets.map(({ identity }: { identity: string }) => identity);
  };

  const LISTS: readonly [path: string, unspecified: string][] = [
    [
      'v2/assets',
      'tracked=TRACKED_UNDEFINED&confirmation_status=CONFIRMATION_STATUS_UNSPECIFIED&privacy=X_UNSPECIFIED',
    ],
    ['v2/assets', 'proof_mechanism=PROOF_MECHANISM_UNSPECIFIED&storage_integrity=STORAGE_INTEGRITY_UNSPECIFIED'],
    ['v2/assets/-/events', 'proof_mechanism=PROOF_MECHANISM_UNSPECIFIED&confirmation_status=STATUS_UNDEFINED'],
    ['v2/locations', ''],
    ['v1/compliance_policies', 'compliance_type=COMPLIANCE_UNDEFINED'],
    ['iam/v1/applications?page_size=10', ''],
    [`v1/blobs?hash=${HASH}`, ''],
  ];
  for (const [path, unspecified] of LISTS) {
    it(`accept order_by=DEFAULT and unspecified values: ${path}`, async () => {
      const join = path.includes('?') ? '&' : '?';
      const plain = await get(path);
      const order = await get(`${path}${join}order_by=DEFAULT&page_token=`);
      const left = await get(`${path}${join}${unspecified}&order_by=ORDER_BY_UNSPECIFIED&page_token=`);
      expect([plain.status, order.status, left.status]).to.eql([200, 200, 200]);
      const withoutTime = ({ body }: typeof plain) => JSON.stringify(body).replaceAll(/"at_time":"[^"]*"/g, '');
      expect([withoutTime(order), withoutTime(left)]).to.eql([withoutTime(plain), withoutTime(plain)]);
    });
  }

  it('of assets are by time of acceptance, oldest first, then by identity, over all pages', async () => {
    const [a, b, c, d] = assets as [string, string, string, string];
    const wanted = [...[a, b].sort(), ...[c, d].sort()];
    for (const order of ['SIMPLEHASHV1', 'SIMPLEHASHV2']) {
      expect(await identitiesOf(`order_by=${order}`)).to.eql(wanted);
      let found: string[] = [];
      let query = `order_by=${order}&page_size=1`;
      for (let page = 0; query !== ''; page += 1) {
        expect(page).to.be.lessThan(5);
        const { body } = await get(`v2/assets?${query}`);
        found = [...found, ...body.assets.map(({ identity }: { identity: string }) => identity)];
        query = body.next_page_token === '' ? '' : `page_token=${body.next_page_token}`;
      }
      expect(found).to.eql(wanted);
    }
  });

  it('of assets in that order have filters, the count, and assets that wait for the chain', async () => {
    const fresh = await startTestServer();
    const committed = await createAnAsset(fresh, { attributes: { a: 'b' } });
    await createAnAsset(fresh, { attributes: { a: 'c' } });
    fresh.clock.atMs += 1000;
    fresh.ledger.isChainAway = true;
    const waiting = await createAnAsset(fresh, { attributes: { a: 'b' } });
    const headers = { 'x-request-total-count': 'true' };
    const answer = await fresh.request('GET', '/svc/v2/assets?order_by=SIMPLEHASHV1&attributes.a=b', { headers });
    const shown = answer.body.assets.map((asset: Record<string, string>) => [
      asset.identity,
      asset.confirmation_status,
    ]);
    const wanted = [
      [`assets/${committed}`, 'CONFIRMED'],
      [`assets/${waiting}`, 'PENDING'],
    ];
    expect([shown, answer.headers.get('x-total-count')]).to.eql([wanted, '2']);
    await fresh.close();
  });

  it('of assets and events accept storage_integrity, which is the same for all', async () => {
    expect(await identitiesOf('storage_integrity=TENANT_STORAGE')).to.have.length(assets.length);
    expect(await identitiesOf('storage_integrity=LEDGER')).to.eql([]);
    const uuid = assets[0]!.slice('assets/'.length);
    for (const path of [`v2/assets/${uuid}/events`, `v2/publicassets/${uuid}/events`]) {
      expect((await get(`${path}?storage_integrity=TENANT_STORAGE`)).body.events).to.have.length(2);
      const none = await get(`${path}?storage_integrity=LEDGER`);
      expect([none.body.events, none.headers.get('x-total-count')]).to.eql([[], '0']);
    }
  });

  it('treat an unspecified value literally if the parameter accepts any text', async () => {
    expect((await get('v2/locations?display_name=X_UNSPECIFIED')).body.locations).to.eql([]);
    expect(await identitiesOf('attributes.a=X_UNDEFINED')).to.eql([]);
    expectProblem(await get('v2/assets?tracked=UNSPECIFIED'), 400, 'REQUEST_INVALID', 'tracked');
    expectProblem(await get('v2/assets?order_by='), 400, 'REQUEST_INVALID', 'order_by');
  });
});
