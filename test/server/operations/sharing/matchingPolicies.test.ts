// The assets that an access policy is about, and the access policies that are about an asset.
import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { anAccessPolicy, aRecord, createAnAccessPolicy, createAnAsset, createAnEvent } from '../../support/requests.ts';
import { LIMITS, type RequestOptions } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

const UNKNOWN = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const COUNTED = { 'x-request-total-count': 'true' };

describe('access policies and the assets that they are about', () => {
  const server = useNewServer({ limits: { ...LIMITS, accessPoliciesMax: 100 } });

  const get = (path: string, options: RequestOptions = {}) =>
    server.request('GET', `/svc/iam/v1/${path}`, { as: server.tenant.auditor, ...options });
  // What waits for the chain is listed by the time of its acceptance.
  const createAsset = (attributes: Record<string, unknown>, options: RequestOptions = {}) => {
    server.clock.atMs += 1;
    return createAnAsset(server, { attributes }, options);
  };
  const createPolicy = async (...filters: string[][]): Promise<string> => {
    server.clock.atMs += 1;
    const json = anAccessPolicy({ filters: filters.map((or) => ({ or })) });
    return (await createAnAccessPolicy(server, json)).identity;
  };
  const setAttributes = (asset: string, asset_attributes: object) =>
    createAnEvent(server, asset, aRecord({ asset_attributes }));
  // All pages of a list, one request with a count for each.
  const readAll = async (path: string, items: string, query = ''): Promise<string[]> => {
    const found: string[] = [];
    for (let page = `page_size=2${query}`; page !== ''; ) {
      const { status, body, headers } = await get(`${path}?${page}`, { headers: COUNTED });
      expect([path, status]).to.eql([path, 200]);
      found.push(...body[items].map(({ identity }: { identity: string }) => identity.split('/').at(-1)!));
      page = body.next_page_token === '' ? '' : `page_token=${body.next_page_token}`;
      if (page === '') expect(headers.get('x-total-count')).to.equal(String(found.length));
    }
    return found;
  };
  const assetsOf = (policy: string) => readAll(`${policy}/assets`, 'assets');
  const policiesOf = (asset: string, query = '') =>
    readAll(`assets/${asset}/access_policies`, 'access_policies', query);
  const toUuids = (identities: readonly string[]) => identities.map((identity) => identity.split('/').at(-1)!);

  for (const isChainAway of [false, true]) {
    it(`lists the assets that all filters match, newest first${isChainAway ? ', while the chain is away' : ''}`, async () => {
      const committed = await createAsset({ type: 'Pump', vendor: 'S' });
      const changed = await createAsset({ type: 'Pump', vendor: 'S', note: 'old' });
      server.ledger.isChainAway = isChainAway;
      const pump = await createAsset({ type: 'Pump', vendor: 'S' });
      const valve = await createAsset({ type: 'Valve', vendor: 'S', note: 'x' });
      const door = await createAsset({ type: 'Door', vendor: 'S' });
      const other = await createAsset({ type: 'Pump', vendor: 'T' });
      const plain = await createAsset({});
      await createAsset({ type: 'Pump', vendor: 'S' }, { as: server.otherTenant.writer });
      await setAttributes(changed, { type: 'Door', note: 'new' });
      const all = [plain, other, door, valve, pump, changed, committed];
      expect(await assetsOf(await createPolicy())).to.eql(all);
      expect(await assetsOf(await createPolicy(['type=Pump', 'attributes.type=Valve'], ['vendor=S']))).to.eql([
        valve,
        pump,
        committed,
      ]);
      expect(await assetsOf(await createPolicy(['type!=Pump']))).to.eql([plain, door, valve, changed]);
      expect(await assetsOf(await createPolicy(['note=*']))).to.eql([valve, changed]);
      expect(await assetsOf(await createPolicy(['note=new', 'vendor!=S']))).to.eql([plain, other, changed]);
      expect(await assetsOf(await createPolicy(['note=old']))).to.eql([]);
    });
  }

  it('lists the assets by the filters and attributes of now', async () => {
    const asset = await createAsset({ type: 'Pump' });
    const policy = await createPolicy(['type=Pump']);
    expect(await assetsOf(policy)).to.eql([asset]);
    await setAttributes(asset, { type: 'Door' });
    expect(await assetsOf(policy)).to.eql([]);
    const path = `/svc/iam/v1/${policy}`;
    const json = { filters: [{ or: ['type=Door'] }] };
    await server.request('PATCH', path, { as: server.tenant.administrator, json });
    expect(await assetsOf(policy)).to.eql([asset]);
    await createAnEvent(server, asset, { behaviour: 'Builtin', operation: 'StopTracking' });
    expect(await assetsOf(policy)).to.eql([asset]);
    const { body } = await get(`${policy}/assets`);
    const { body: read } = await server.request('GET', `/svc/v2/assets/${asset}`);
    expect(body.assets).to.eql([{ ...read, at_time: body.assets[0].at_time }]);
    await server.request('DELETE', path, { as: server.tenant.administrator });
    expectProblem(await get(`${policy}/assets`), 404, 'ACCESS_POLICY_NOT_FOUND');
  });

  for (const isChainAway of [false, true]) {
    it(`lists the policies that match an asset, newest first${isChainAway ? ', while the chain is away' : ''}`, async () => {
      const pump = await createAsset({ type: 'Pump', vendor: 'S' });
      server.ledger.isChainAway = isChainAway;
      const door = await createAsset({ type: 'Door' });
      const policies = [
        await createPolicy(),
        await createPolicy(['type=Pump', 'type=Door']),
        await createPolicy(['type=Door']),
        await createPolicy(['type=Pump'], ['vendor=S']),
        await createPolicy(['type=Pump'], ['vendor!=S']),
        await createPolicy(['vendor!=*']),
      ];
      await createAnAccessPolicy(server, anAccessPolicy(), { as: server.otherTenant.administrator });
      const only = (...indexes: number[]) => toUuids(indexes.map((at) => policies[at]!)).reverse();
      expect(await policiesOf(pump)).to.eql(only(0, 1, 3));
      expect(await policiesOf(door)).to.eql(only(0, 1, 2, 5));
      await server.request('DELETE', `/svc/iam/v1/${policies[1]}`, { as: server.tenant.administrator });
      expect(await policiesOf(pump)).to.eql(only(0, 3));
    });
  }

  it('lists the policies that matched an asset at a time, as both were then', async () => {
    const at = () => `&at_time=${new Date(server.clock.atMs).toISOString()}`;
    const wait = () => {
      server.clock.atMs += 1_000;
    };
    const early = await createPolicy(['type=Pump']);
    const before = at();
    wait();
    const asset = await createAsset({ type: 'Pump' });
    const created = at();
    wait();
    const [deleted, narrow] = [await createPolicy(), await createPolicy(['type=Pump'])];
    const three = at();
    wait();
    const as = server.tenant.administrator;
    await server.request('PATCH', `/svc/iam/v1/${narrow}`, { as, json: { filters: [{ or: ['type=Door'] }] } });
    server.ledger.isChainAway = true;
    await server.request('DELETE', `/svc/iam/v1/${deleted}`, { as });
    const changed = at();
    wait();
    await setAttributes(asset, { type: 'Door' });
    await createPolicy(['type=Pump']);
    const now = at();
    wait();
    const path = `assets/${asset}/access_policies`;
    expectProblem(await get(`${path}?${before.slice(1)}`), 404, 'ASSET_NOT_FOUND');
    expect(await policiesOf(asset, created)).to.eql(toUuids([early]));
    expect((await policiesOf(asset, three)).sort()).to.eql(toUuids([early, deleted, narrow]).sort());
    expect((await policiesOf(asset, three)).at(-1)).to.equal(toUuids([early])[0]);
    expect(await policiesOf(asset, changed)).to.eql(toUuids([early]));
    expect(await policiesOf(asset, now)).to.eql(toUuids([narrow]));
    expect(await policiesOf(asset)).to.eql(toUuids([narrow]));
    expect(await policiesOf(asset, '&at_time=9999-01-01T00:00:00Z')).to.eql(toUuids([narrow]));
    const then = await get(`${path}?${three.slice(1)}`);
    const shown = then.body.access_policies.find(({ identity }: { identity: string }) => identity === narrow);
    expect(shown.filters).to.eql([{ or: ['type=Pump'] }]);
    expectProblem(await get(`${path}?at_time=then`), 400, 'TIMESTAMP_INVALID', 'at_time');
  });

  it('reads all pages as the first one, also when the requested time passes between them', async () => {
    const asset = await createAsset({});
    const policies: string[] = [];
    for (let made = 0; made < 4; made += 1) policies.push(await createPolicy());
    for (const aheadMs of [2_500, 0, -1]) {
      const at_time = new Date(server.clock.atMs + aheadMs).toISOString();
      const path = `assets/${asset}/access_policies?page_size=1`;
      const found: string[] = [];
      for (let query = `&at_time=${at_time}`; query !== ''; ) {
        const { status, body } = await get(`${path}${query}`);
        expect([aheadMs, status]).to.eql([aheadMs, 200]);
        found.push(...body.access_policies.map(({ identity }: { identity: string }) => identity));
        query = body.next_page_token === '' ? '' : `&at_time=${at_time}&page_token=${body.next_page_token}`;
        server.clock.atMs += 3_000;
      }
      expect(found).to.have.members(policies);
    }
  });

  it('ends at the limit with 206 when no page_size is given', async () => {
    const policies: string[] = [];
    for (let made = 0; made <= LIMITS.listRecordsMax; made += 1) policies.push(await createPolicy());
    const assets: string[] = [];
    for (let made = 0; made <= LIMITS.listRecordsMax; made += 1) assets.push(await createAsset({}));
    const range = `items 0-${LIMITS.listRecordsMax}/${LIMITS.listRecordsMax + 1}`;
    for (const path of [`${policies[0]}/assets`, `assets/${assets[0]}/access_policies`]) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get('content-range')]).to.eql([path, 206, range]);
    }
  });

  it('are for auditors of the tenant alone', async () => {
    const paths = [`${await createPolicy()}/assets`, `assets/${await createAsset({})}/access_policies`];
    for (const path of paths) {
      const { body } = await get(path.replace(/[0-9a-f-]{36}/, UNKNOWN));
      const foreign = await get(path, { as: server.otherTenant.root });
      expect([foreign.status, foreign.body]).to.eql([404, body]);
      for (const as of [server.tenant.writer, server.tenant.reader, server.tenant.roleless])
        expectProblem(await get(path, { as }), 403, 'FORBIDDEN', 'authorization');
      expectProblem(await get(path, { as: null }), 401, 'UNAUTHENTICATED');
    }
  });
});
