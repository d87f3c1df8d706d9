import { expect } from 'chai';
import { itFinds } from '../support/filterCases.ts';
import { createALocation, createAnAsset, createAnEvent } from '../support/requests.ts';
import { CHAIN_ID, startTestServer } from '../support/testServer.ts';
import { useServer } from '../support/useServer.ts';

const COUNTED = { 'x-request-total-count': 'true' };

describe('filters on assets', () => {
  const server = useServer();
  const uuidOf = new Map<string, string>();

  before(async () => {
    const home = (await createALocation(server)).identity;
    const assets: Record<string, object> = {
      door: { attributes: { type: 'Door', 'serial no': 'A 1', arc_home_location_identity: home } },
      gate: { attributes: { type: 'Gate', note: '' }, public: true, behaviours: ['Firmware'] },
      lift: { attributes: { type: 'door', photos: [{ name: 'a.jpg' }], size: {} }, proof_mechanism: 'SIMPLE_HASH' },
      ramp: { attributes: { type: 'Türe=&+[0]!', 'wow!': 'x', 'a.b': 'c' } },
      gone: { attributes: { type: 'Door' } },
    };
    for (const [name, json] of Object.entries(assets)) uuidOf.set(name, await createAnAsset(server, json));
    await createAnEvent(server, uuidOf.get('gone')!, { behaviour: 'Builtin', operation: 'StopTracking' });
    await createAnAsset(server, { attributes: { type: 'Door' } }, { as: server.otherTenant.writer });
  });

  const list = async (query: string): Promise<string> => {
    const { status, body, headers } = await server.request('GET', `/svc/v2/assets?page_size=10&${query}`, {
      headers: COUNTED,
    });
    expect([query, status]).to.eql([query, 200]);
    const names = new Map([...uuidOf].map(([name, uuid]) => [`assets/${uuid}`, name]));
    const found = body.assets.map(({ identity }: { identity: string }) => names.get(identity));
    expect(headers.get('x-total-count')).to.equal(String(found.length));
    return found.join(' ');
  };

  itFinds(list, [
    ['', 'ramp lift gate door'],
    ['tracked=TRACKED', 'ramp lift gate door'],
    ['tracked=NOT_TRACKED', 'gone'],
    ['tracked=ANY', 'gone ramp lift gate door'],
    ['attributes.type=Door', 'door'],
    ['tracked=ANY&attributes.type=Door', 'gone door'],
    ['attributes.type=*', 'ramp lift gate door'],
    ['attributes.type!=*', ''],
    ['attributes.type!=Door', 'ramp lift gate'],
    ['attributes.note=*', ''],
    ['attributes.note!=*', 'ramp lift gate door'],
    ['attributes.note!=x', 'ramp lift gate door'],
    ['attributes.photos=*', 'lift'],
    ['attributes.photos!=*', 'ramp gate door'],
    ['attributes.size=*', ''],
    ['attributes.serial%20no=A+1', 'door'],
    ['attributes.serial+no=A%201', 'door'],
    ['attributes.type=T%C3%BCre%3D%26%2B%5B0%5D%21', 'ramp'],
    ['attributes.type=T%C3%BCre=%26%2B[0]!', 'ramp'],
    ['attributes.wow!!=*', 'lift gate door'],
    ['attributes.wow!!=y', 'ramp lift gate door'],
    ['attributes.a.b=c', 'ramp'],
    ['attributes.arc_home_location_identity=*', 'door'],
    ['confirmation_status=CONFIRMED', 'ramp lift gate door'],
    ...['PENDING', 'FAILED', 'STORED', 'COMMITTED', 'UNEQUIVOCAL'].map((status): [string, string] => [
      `confirmation_status=${status}`,
      '',
    ]),
    ['proof_mechanism=SIMPLE_HASH', 'lift'],
    ['privacy=PUBLIC', 'gate'],
    ['privacy=RESTRICTED', 'ramp lift door'],
    ['public=true', 'gate'],
    ['public=True', 'gate'],
    ['public=false', 'ramp lift door'],
    ['public=False&privacy=RESTRICTED', 'ramp lift door'],
    ['public=false&privacy=PUBLIC', ''],
    ['behaviours=Firmware', 'gate'],
    ['behaviours=Builtin', 'ramp lift gate door'],
    ['behaviours=firmware', ''],
    ['owner=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'ramp lift gate door'],
    ['owner=0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'ramp lift gate door'],
    ['owner=5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', 'ramp lift gate door'],
    ['owner=0x0000000000000000000000000000000000000000', ''],
    [`chain_id=${CHAIN_ID}`, 'ramp lift gate door'],
    [`chain_id=0x${CHAIN_ID.toString(16)}`, 'ramp lift gate door'],
    ['chain_id=1', ''],
    ['tenant_identity=tenant/0b7f3bd4-9d3c-4c12-8f3a-1f6b1d7c2e90', ''],
    ['attributes.type=Gate&behaviours=Firmware&public=true&proof_mechanism=KHIPU', 'gate'],
    ['attributes.type=Gate&behaviours=Firmware&public=false', ''],
    ['attributes.type!=Door&attributes.photos!=*&privacy=RESTRICTED', 'ramp'],
  ]);

  it('match the tenant itself', async () => {
    const { identity } = server.tenant;
    for (const form of [identity, identity.toUpperCase(), identity.slice('tenant/'.length)])
      expect(await list(`tenant_identity=${form}`)).to.equal('ramp lift gate door');
    expect(await list(`tenant_identity=${server.otherTenant.identity}`)).to.equal('');
  });

  it('match the changes of an event at once, even before it is on the chain', async () => {
    const fresh = await startTestServer();
    const assetUuid = await createAnAsset(fresh, { attributes: { state: 'open' } });
    const count = async (query: string) => {
      const { body } = await fresh.request('GET', `/svc/v2/assets?${query}`);
      return body.assets.length;
    };
    const record = (state: string) =>
      createAnEvent(fresh, assetUuid, {
        behaviour: 'RecordEvidence',
        operation: 'Record',
        asset_attributes: { state },
      });
    expect(await count('attributes.state=open')).to.equal(1);
    await record('closed');
    expect([await count('attributes.state=open'), await count('attributes.state=closed')]).to.eql([0, 1]);
    fresh.ledger.isChainAway = true;
    await record('locked');
    expect([await count('attributes.state=closed'), await count('attributes.state=locked')]).to.eql([0, 1]);
    await fresh.close();
  });

  it('continue with the token alone and with the same filters, and with no others', async () => {
    const query = 'attributes.type!=Door&tracked=ANY';
    const first = await server.request('GET', `/svc/v2/assets?page_size=2&${query}`);
    const token = first.body.next_page_token;
    for (const rest of ['', `&${query}`, '&tracked=ANY', '&page_size=2']) {
      const { body } = await server.request('GET', `/svc/v2/assets?page_token=${token}${rest}`);
      expect(body.assets.map(({ identity }: { identity: string }) => identity)).to.eql([
        `assets/${uuidOf.get('gate')}`,
      ]);
      expect(body.next_page_token).to.equal('');
    }
    for (const rest of ['attributes.type=Door', 'attributes.type!=Gate', 'tracked=TRACKED', 'public=true']) {
      const { status, body } = await server.request('GET', `/svc/v2/assets?page_token=${token}&${rest}`);
      expect([status, body.details[0].error]).to.eql([400, 'PAGE_TOKEN_INVALID']);
      expect(body.details[0].field).to.equal('page_token');
    }
  });

  it("are counted when they are cut at the server's limit, requested or not", async () => {
    const fresh = await startTestServer();
    for (let made = 0; made < 6; made += 1) await createAnAsset(fresh, { attributes: { type: 'Door' } });
    await createAnAsset(fresh);
    const { status, headers, body } = await fresh.request('GET', '/svc/v2/assets?attributes.type=Door');
    expect([status, headers.get('content-range'), headers.get('x-total-count')]).to.eql([206, 'items 0-5/6', null]);
    expect(body.assets).to.have.length(5);
    await fresh.close();
  });
});
