import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { aRecord, createAnAsset, createAnEvent } from '../../support/requests.ts';
import { LIMITS } from '../../support/testServer.ts';
import { useServer } from '../../support/useServer.ts';

const NO_UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const NO_PRINCIPAL = { issuer: '', subject: '', display_name: '', email: '' };

describe('public records', () => {
  const server = useServer();
  let publicUuid: string;
  let privateUuid: string;
  let events: Record<string, unknown>[];
  let privateEvent: string;
  const uuidOf = (event: Record<string, unknown>) => String(event.identity).slice(-36);

  before(async () => {
    publicUuid = await createAnAsset(server, { public: true, attributes: { colour: 'red' } });
    privateUuid = await createAnAsset(server);
    const declared = { principal_declared: { issuer: 'idp', subject: 'bob' } };
    for (const colour of ['green', 'blue']) {
      server.clock.atMs += 1000;
      await createAnEvent(server, publicUuid, aRecord({ asset_attributes: { colour }, ...declared }));
    }
    privateEvent = uuidOf(await createAnEvent(server, privateUuid));
    events = (await server.request('GET', `/svc/v2/assets/${publicUuid}/events?page_size=10`)).body.events;
  });

  const getAs = (as: null | undefined) => (path: string) =>
    server.request('GET', `/svc/v2/${path}`, as === undefined ? {} : { as });
  const getOpenly = getAs(null);
  const get = getAs(undefined);

  it('are read without a token, and with any', async () => {
    const own = await get(`assets/${publicUuid}`);
    for (const as of [null, server.tenant.reader, server.otherTenant.root]) {
      const { status, body } = await server.request('GET', `/archivist/v2/publicassets/${publicUuid}`, { as });
      expect([status, body]).to.eql([200, own.body]);
    }
    const headers = { authorization: 'Bearer nonsense' };
    expect((await server.request('GET', `/svc/v2/publicassets/${publicUuid}`, { as: null, headers })).status).to.equal(
      200,
    );
  });

  it('are shown without their principals', async () => {
    const { body, headers } = await getOpenly(`publicassets/${publicUuid}/events?page_size=10`);
    const shown = events.map((event) => ({
      ...event,
      principal_declared: NO_PRINCIPAL,
      principal_accepted: NO_PRINCIPAL,
    }));
    expect(body).to.eql({ events: shown, next_page_token: '' });
    expect(headers.get('x-total-count')).to.equal('3');
    for (const event of shown) {
      const one = await getOpenly(`publicassets/${publicUuid}/events/${uuidOf(event)}`);
      expect([one.status, one.body]).to.eql([200, event]);
    }
    expect(JSON.stringify(body)).not.to.include(server.tenant.writer.subject).and.not.to.include('bob');
  });

  it('are as they were at a time', async () => {
    const colourAt = async (query: string) =>
      (await getOpenly(`publicassets/${publicUuid}${query}`)).body.attributes.colour;
    expect(await colourAt('?at_time=2026-11-20T10:15:31.200Z')).to.equal('green');
    expect(await colourAt('?at_time=2099-01-01T00:00:00Z')).to.equal('blue');
    expectProblem(await getOpenly(`publicassets/${publicUuid}?at_time=2020-01-01T00:00:00Z`), 404, 'ASSET_NOT_FOUND');
  });

  it("are filtered, counted and paged as in the tenant's list", async () => {
    const path = `publicassets/${publicUuid}/events`;
    const first = await getOpenly(`${path}?page_size=1&asset_attributes.colour=*&order_by=SIMPLEHASHV1`);
    expect(first.headers.get('x-total-count')).to.equal('3');
    expect(first.body.events[0].operation).to.equal('NewAsset');
    const second = await getOpenly(`${path}?page_token=${first.body.next_page_token}`);
    expect(second.body.events[0].asset_attributes).to.eql({ colour: 'green' });
    expect(second.headers.get('x-total-count')).to.equal('3');
    const blue = await getOpenly(`${path}?asset_attributes.colour=blue`);
    expect([blue.body.events.length, blue.headers.get('x-total-count')]).to.eql([1, '1']);
  });

  it('end at the limit with 206 and content-range', async () => {
    const uuid = await createAnAsset(server, { public: true });
    for (let made = 0; made < LIMITS.listRecordsMax; made += 1) await createAnEvent(server, uuid);
    const { status, headers } = await getOpenly(`publicassets/${uuid}/events`);
    expect([status, headers.get('content-range'), headers.get('x-total-count')]).to.eql([206, 'items 0-5/6', '6']);
  });

  it('are found by no filter on a principal', async () => {
    for (const which of ['declared', 'accepted']) {
      for (const field of ['issuer', 'subject', 'display_name', 'email']) {
        const event = events[0] as Record<string, Record<string, string>>;
        const value = event[`principal_${which}`]![field] || 'x';
        const query = `principal_${which}.${field}=${encodeURIComponent(value)}`;
        const { status, body, headers } = await getOpenly(`publicassets/${publicUuid}/events?${query}`);
        expect([status, body, headers.get('x-total-count')]).to.eql([200, { events: [], next_page_token: '' }, '0']);
      }
    }
  });

  it("do not accept page tokens of the tenant's list, nor the reverse", async () => {
    const own = (await get(`assets/${publicUuid}/events?page_size=1`)).body.next_page_token;
    const open = (await getOpenly(`publicassets/${publicUuid}/events?page_size=1`)).body.next_page_token;
    const refused = [
      await getOpenly(`publicassets/${publicUuid}/events?page_token=${own}`),
      await get(`assets/${publicUuid}/events?page_token=${open}`),
    ];
    for (const answer of refused) expectProblem(answer, 400, 'PAGE_TOKEN_INVALID', 'page_token');
    expect((await getOpenly(`publicassets/${publicUuid}/events?page_token=${open}`)).status).to.equal(200);
  });

  it('that are private answer as records that never existed', async () => {
    const publicEvent = uuidOf(events[0]!);
    const pairs: [string, string][] = [
      [`publicassets/${privateUuid}`, `publicassets/${NO_UUID}`],
      [`publicassets/${privateUuid}?at_time=2026-11-20T10:15:30.200Z`, `publicassets/${NO_UUID}`],
      [`publicassets/${privateUuid}/events`, `publicassets/${NO_UUID}/events`],
      [`publicassets/${privateUuid}/events?operation=Record`, `publicassets/${NO_UUID}/events`],
      [`publicassets/${privateUuid}/events/${privateEvent}`, `publicassets/${NO_UUID}/events/${NO_UUID}`],
      [`publicassets/${publicUuid}/events/${privateEvent}`, `publicassets/${publicUuid}/events/${NO_UUID}`],
      [`publicassets/${privateUuid}/events/${publicEvent}`, `publicassets/${NO_UUID}/events/${NO_UUID}`],
    ];
    for (const [hidden, missing] of pairs) {
      for (const request of [getOpenly, get]) {
        const [one, other] = [await request(hidden), await request(missing)];
        expectProblem(one, 404, hidden.includes('/events/') ? 'EVENT_NOT_FOUND' : 'ASSET_NOT_FOUND');
        expect([one.status, one.body]).to.eql([other.status, other.body]);
        expect([...one.headers.keys()]).to.eql([...other.headers.keys()]);
      }
    }
  });

  it('are listed together, of all tenants, without their principals and without private ones', async () => {
    const as = server.otherTenant.writer;
    const attributes = { arc_display_type: 'Open' };
    const others = await createAnAsset(server, { public: true, attributes }, { as });
    await createAnAsset(server, { attributes }, { as });
    const mine = await createAnAsset(server, { public: true, attributes });
    const path = 'publicassets/-/events?asset_attributes.arc_display_type=Open';
    const { status, body, headers } = await getOpenly(`${path}&page_size=10`);
    expect([status, headers.get('x-total-count'), body.next_page_token]).to.eql([200, '2', '']);
    const shown = body.events.map((event: Record<string, unknown>) => [event.asset_identity, event.tenant_identity]);
    const [own, other] = [server.tenant.identity, server.otherTenant.identity];
    expect(shown).to.eql([
      [`assets/${mine}`, own],
      [`assets/${others}`, other],
    ]);
    for (const event of body.events) {
      const one = await getOpenly(`publicassets/${event.asset_identity.slice(-36)}/events/${uuidOf(event)}`);
      expect(one.body).to.eql(event);
    }
    const first = await getOpenly(`${path}&page_size=1`);
    const second = await getOpenly(`publicassets/-/events?page_token=${first.body.next_page_token}`);
    expect([...first.body.events, ...second.body.events]).to.eql(body.events);
    expect(second.body.next_page_token).to.equal('');
    const oldest = await getOpenly(`${path}&order_by=SIMPLEHASHV1`);
    expect(oldest.body.events).to.have.deep.members(body.events);
    const all = await getOpenly('publicassets/-/events?page_size=500');
    expect(JSON.stringify(all.body)).not.to.include(privateUuid).and.not.to.include(privateEvent);
  });

  it('are found by no filter on a principal among those of all tenants', async () => {
    const { subject } = server.tenant.writer;
    const { status, body, headers } = await getOpenly(`publicassets/-/events?principal_accepted.subject=${subject}`);
    expect([status, body.events, headers.get('x-total-count')]).to.eql([200, [], '0']);
  });

  it('of all tenants take no page token of another list', async () => {
    const { next_page_token: ofAll } = (await getOpenly('publicassets/-/events?page_size=1')).body;
    const { next_page_token: ofOne } = (await getOpenly(`publicassets/${publicUuid}/events?page_size=1`)).body;
    for (const path of [`publicassets/-/events?page_token=${ofOne}`, `assets/-/events?page_token=${ofAll}`]) {
      expectProblem(await get(path), 400, 'PAGE_TOKEN_INVALID', 'page_token');
    }
  });

  it('are not written to', async () => {
    const answer = await server.request('POST', `/svc/v2/publicassets/${publicUuid}/events`, { json: aRecord() });
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
  });

  it("leave the tenant's routes protected", async () => {
    for (const path of [`assets/${publicUuid}`, `assets/${publicUuid}/events`, `assets/${publicUuid}:publicurl`]) {
      expectProblem(await getOpenly(path), 401, 'UNAUTHENTICATED');
    }
  });

  it('stay readable while they are not tracked', async () => {
    const uuid = await createAnAsset(server, { public: true });
    await createAnEvent(server, uuid, { behaviour: 'Builtin', operation: 'StopTracking' });
    expect((await getOpenly(`publicassets/${uuid}`)).body.tracked).to.equal('NOT_TRACKED');
  });
});
