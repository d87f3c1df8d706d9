import { once } from 'node:events';
import { expect } from 'chai';
import { STREAM_LIMITS } from '../../../../server/limits.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { postLines, toLines } from '../../support/lines.ts';
import { aRecord, createAnAsset, createAnEvent } from '../../support/requests.ts';
import { introduce, permit } from '../../support/sharing.ts';
import { openStream, type StreamClient, type StreamOptions } from '../../support/streamClient.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

const ALL = '-/events:stream';
const ALL_READ = { asset_attributes_read: ['*'], event_arc_display_type_read: ['*'] };
const HOUR_MS = 3_600_000;
const LIMITS = {
  ...STREAM_LIMITS,
  perPrincipalMax: 3,
  perTenantMax: 5,
  max: 6,
  // A check that is still in progress at the next one ends the stream, also on a busy machine.
  checkMs: 1_000,
  heartbeatMs: 50,
  gatherMs: 1,
};

describe('streamEvents', () => {
  let server: TestServer;
  let stopping: AbortController;
  let opened: StreamClient[];
  const open = async (path = ALL, options: StreamOptions = {}) => {
    const client = await openStream(server, path, options);
    opened.push(client);
    expect(client.response.statusCode).to.equal(200);
    return client;
  };
  const list = async (path: string, as = server.tenant.reader) =>
    (await server.request('GET', `/svc/v2/assets/${path}`, { as })).body.events.reverse();
  const readSome = async (client: StreamClient, count: number) => {
    const events: unknown[] = [];
    while (events.length < count) events.push(await client.read());
    return events;
  };
  // The answer to a request that is refused before a stream begins.
  const refuse = (path: string, headers: Record<string, string> = {}, as = server.tenant.reader) =>
    server.request('GET', `/svc/v2/assets/${path}`, { as, headers });

  beforeEach(async () => {
    stopping = new AbortController();
    server = await startTestServer({ streams: LIMITS, stopping: stopping.signal });
    opened = [];
  });
  afterEach(async () => {
    for (const client of opened) client.close();
    expect(server.unexpected).to.eql([]);
    await server.close();
  });

  it('sends events as the list shows them, from its beginning on', async () => {
    const asset = await createAnAsset(server);
    const client = await open();
    const { headers } = client.response;
    expect([headers['content-type'], headers['cache-control']]).to.eql([
      'text/event-stream; charset=utf-8',
      'no-store',
    ]);
    for (const text of ['one\ntwo', 'é "three"']) {
      const { identity } = await createAnEvent(server, asset, aRecord({ event_attributes: { text } }));
      const event = await client.read();
      expect(event).to.eql((await list(`${asset}/events`)).at(-1));
      expect(event.identity).to.equal(identity);
    }
  });

  it('resumes without a gap while several writers record events', async () => {
    const assets = await Promise.all([1, 2, 3].map(() => createAnAsset(server)));
    let client = await open();
    await client.readAny();
    const writers = assets.map(async (asset) => {
      for (let at = 0; at < 25; at += 1) await createAnEvent(server, asset);
    });
    const received: unknown[] = [];
    while (received.length < 75) {
      received.push(...(await readSome(client, Math.min(9, 75 - received.length))));
      client.close();
      client = await open(ALL, { lastId: client.lastId() });
    }
    await Promise.all(writers);
    expect(received).to.eql((await list('-/events?page_size=1000')).slice(-75));
  });

  it('sends what the list with the same filters shows', async () => {
    const first = await open();
    await first.readAny();
    const lastId = first.lastId();
    const asset = await createAnAsset(server, { attributes: { size: 'L' } });
    await createAnAsset(server, { attributes: { size: 'S' } });
    for (const text of ['a', 'b', 'a'])
      await createAnEvent(server, asset, aRecord({ event_attributes: { text }, asset_attributes: { seen: text } }));
    const queries = [
      'event_attributes.text=a',
      'event_attributes.text!=a',
      'asset.attributes.size=S',
      'asset_attributes.seen=*',
      'behaviour=RecordEvidence',
      'timestamp_accepted_since=2026-11-20T10:00:00Z',
      'confirmation_status=CONFIRMED&operation=NewAsset',
    ];
    for (const query of queries) {
      const expected = await list(`-/events?page_size=100&${query}`);
      expect(expected).to.not.eql([]);
      const client = await open(`${ALL}?${query}`, { lastId });
      expect(await readSome(client, expected.length)).to.eql(expected);
      client.close();
      await once(client.response, 'close');
    }
    const ofAsset = await open(`${asset}/events:stream`);
    await createAnEvent(server, asset);
    expect((await ofAsset.read()).asset_identity).to.equal(`assets/${asset}`);
  });

  it('sends an event when the chain has it, and heartbeats from which a stream resumes', async () => {
    const asset = await createAnAsset(server);
    const client = await open();
    server.ledger.isChainAway = true;
    await createAnEvent(server, asset);
    server.ledger.isChainAway = false;
    for (let count = 0; count < 3; count += 1) expect((await client.readAny())?.data).to.equal(undefined);
    const { identity } = await createAnEvent(server, asset);
    const resumed = await open(ALL, { lastId: client.lastId() });
    expect((await resumed.read()).identity).to.equal(identity);
    expect((await client.read()).identity).to.equal(identity);
  });

  it('shows shared events as the list does, and ends with the permission to see their asset', async () => {
    const { tenant, otherTenant } = server;
    const subject = await introduce(server, tenant, otherTenant);
    const revoke = await permit(server, tenant, { subjects: [subject], ...ALL_READ });
    const asset = await createAnAsset(server);
    const as = otherTenant.reader;
    const ofAll = await open(ALL, { as });
    const ofAsset = await open(`${asset}/events:stream`, { as });
    const { identity } = await createAnEvent(server, asset);
    const shown = (await list('-/events', as)).find((event: { identity: string }) => event.identity === identity);
    expect(await ofAsset.read()).to.eql(shown);
    expect((await readSome(ofAll, 1)).at(-1)).to.eql(shown);
    await revoke();
    expect(await ofAsset.read()).to.equal(undefined);
    await createAnEvent(server, asset);
    const own = await createAnAsset(server, {}, { as: otherTenant.writer });
    expect((await ofAll.read()).asset_identity).to.equal(`assets/${own}`);
    expectProblem(await refuse(`${asset}/events:stream`, {}, as), 404, 'ASSET_NOT_FOUND');
  });

  it('ends when its token expires', async () => {
    const client = await open();
    server.clock.atMs += HOUR_MS;
    expect(await client.read()).to.equal(undefined);
    expect(client.response.complete).to.equal(true);
  });

  for (const [title, method, suffix, json] of [
    ['its application loses its roles', 'PATCH', '', { roles: [] }],
    ['the secret of its application is replaced', 'POST', ':regenerate-secret', undefined],
    ['its application is deleted', 'DELETE', '', undefined],
  ] as const) {
    it(`ends when ${title}`, async () => {
      const { root, reader } = server.tenant;
      const client = await open();
      const path = `/svc/iam/v1/applications/${reader.clientId}${suffix}`;
      const { status } = await server.request(method, path, { as: root, ...(json && { json }) });
      expect(status).to.equal(200);
      await createAnAsset(server);
      // A page that was being read then is still sent.
      while ((await client.read()) !== undefined);
      expect(client.response.complete).to.equal(true);
    });
  }

  it('ends when the server stops', async () => {
    const client = await open();
    await client.readAny();
    stopping.abort();
    expect(await client.read()).to.equal(undefined);
    expect(client.response.complete).to.equal(true);
    expectProblem(await refuse(ALL), 503, 'STOPPING');
  });

  it('refuses more streams than a principal, a tenant or the server may have, until one is closed', async () => {
    const { reader, auditor, administrator } = server.tenant;
    const other = server.otherTenant.reader;
    const [first] = [await open(), await open(), await open()];
    expectProblem(await refuse(ALL), 429, 'STREAM_LIMIT_REACHED');
    const [, newest] = [await open(ALL, { as: auditor }), await open(ALL, { as: auditor })];
    expectProblem(await refuse(ALL, {}, administrator), 429, 'STREAM_LIMIT_REACHED');
    await open(ALL, { as: other });
    // All slots are taken: a tenant with fewer streams gets one of the tenant with the most.
    await open(ALL, { as: other });
    expect(await newest!.read()).to.equal(undefined);
    expectProblem(await refuse(ALL, {}, auditor), 503, 'STREAMS_BUSY');
    first!.close();
    for (;;) {
      const next = await openStream(server, ALL, { as: reader });
      opened.push(next);
      if (next.response.statusCode === 200) break;
    }
  });

  it('refuses a changed id, and one of another tenant or another stream', async () => {
    const asset = await createAnAsset(server);
    const client = await open();
    await client.readAny();
    const id = client.lastId()!;
    const isRefused = async (path: string, lastId: string, as = server.tenant.reader) =>
      expectProblem(await refuse(path, { 'last-event-id': lastId }, as), 400, 'REQUEST_INVALID', 'Last-Event-ID');
    await isRefused(ALL, `${id.slice(0, -2)}${id.endsWith('AA') ? 'BB' : 'AA'}`);
    await isRefused(ALL, `${id.slice(0, 9)}${id[9] === 'A' ? 'B' : 'A'}${id.slice(10)}`);
    await isRefused(ALL, id, server.otherTenant.reader);
    await isRefused(`${asset}/events:stream`, id);
  });

  it('takes a token from the header alone', async () => {
    const { token } = await server.tokens.issue(server.tenant.reader);
    const path = `/svc/v2/assets/${ALL}?access_token=${token}`;
    expectProblem(await server.request('GET', path, { as: null }), 401, 'UNAUTHENTICATED');
    expectProblem(await server.request('GET', path), 400, 'REQUEST_INVALID', 'access_token');
  });

  it('answers HEAD without a stream', async () => {
    const { status, body } = await server.request('HEAD', `/svc/v2/assets/${ALL}`);
    expect([status, body]).to.eql([200, '']);
  });
});

describe('streamEvents with a client that does not read', () => {
  it('closes the connection', async () => {
    const ended: boolean[] = [];
    const server = await startTestServer({
      streams: { ...LIMITS, unreadMs: 100 },
      onAnswered: ({ operationId, isComplete }) => operationId === 'streamEvents' && ended.push(isComplete),
    });
    const asset = await createAnAsset(server);
    const { response, close } = await openStream(server, ALL);
    response.pause();
    const texts = Array.from({ length: 20 }, (_, at) => [`text${at}`, 'x'.repeat(2_500)]);
    const line = aRecord({ asset_identity: `assets/${asset}`, event_attributes: Object.fromEntries(texts) });
    // More than the buffers of the kernel take.
    while (ended.length === 0) await postLines(server, toLines(Array(20).fill(line)), { query: '?fields=identity' });
    expect(ended).to.eql([false]);
    expect(server.unexpected).to.eql([]);
    close();
    await server.close();
  });
});
