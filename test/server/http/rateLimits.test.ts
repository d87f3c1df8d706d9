import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { mock } from 'node:test';
import { expect } from 'chai';
import { createStartingApp } from '../../../server/app.ts';
import { createLimit, createNetworkLimit, createOpenLimit, type Limit } from '../../../server/http/rateLimits.ts';
import { listen } from '../../../server/listen.ts';
import { codeOf } from '../support/codeOf.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { createAnAsset } from '../support/requests.ts';
import { type ServerAnswer, startTestServer, type TestServer } from '../support/testServer.ts';
import { upload } from '../support/uploads.ts';
import { useNewServer, useServer } from '../support/useServer.ts';

const OFF = { perSecond: 0, burst: 0 };
const FEW = { perSecond: 2, burst: 1 };

const countAccepted = async (limit: Limit, key: string, requests: number): Promise<number> => {
  const codes = await Promise.all(Array.from({ length: requests }, () => codeOf(limit(key))));
  return codes.filter((code) => code === undefined).length;
};

describe('a rate limit', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_000_000 }));
  afterEach(() => mock.timers.reset());

  it('accepts a number of requests per second, and a burst per minute', async () => {
    const limit = createLimit({ perSecond: 3, burst: 4 });
    expect(await countAccepted(limit, 'a', 20)).to.equal(7);
    mock.timers.tick(1_000);
    expect(await countAccepted(limit, 'a', 20)).to.equal(3);
    mock.timers.tick(59_000);
    expect(await countAccepted(limit, 'a', 20)).to.equal(7);
  });

  it('counts each key separately', async () => {
    const limit = createLimit(FEW);
    await countAccepted(limit, 'a', 20);
    expect(await countAccepted(limit, 'b', 20)).to.equal(3);
  });

  it('states in milliseconds when the next request is accepted', async () => {
    const limit = createLimit(FEW);
    await countAccepted(limit, 'a', 3);
    mock.timers.tick(750);
    const refusal = await limit('a').catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'RATE_LIMITED', retryAfterMs: 250 });
    mock.timers.tick(250);
    expect(await codeOf(limit('a'))).to.equal(undefined);
  });

  it('refuses no longer when the wall clock is set back', async () => {
    const limit = createLimit(FEW);
    await countAccepted(limit, 'a', 20);
    mock.timers.setTime(0);
    const refusal = (await limit('a').catch((error: unknown) => error)) as { retryAfterMs: number };
    expect(refusal.retryAfterMs).to.be.within(1, 1_000);
  });

  it('of zero accepts every request', async () => {
    expect(await countAccepted(createLimit(OFF), 'a', 5_000)).to.equal(5_000);
  });

  it('on addresses counts an IPv6 /56 and /48 with several times the rate of one client', async () => {
    const toAddresses = (toHost: (host: number) => string) => Array.from({ length: 200 }, (_, host) => toHost(host));
    const count = async (addresses: readonly string[]): Promise<number> => {
      const limit = createNetworkLimit(FEW);
      let accepted = 0;
      for (const address of addresses) accepted += await countAccepted(limit, address, 4);
      return accepted;
    };
    const ofClient = 3;
    // Few networks share a counter.
    expect(await count(toAddresses((host) => `2001:db8:0:1::${host.toString(16)}`))).to.equal(ofClient);
    expect(await count(toAddresses((host) => `2001:db8:0:${(0x1200 + host).toString(16)}::1`))).to.equal(2 * ofClient);
    expect(await count(toAddresses((host) => `2001:db8:0:${(0x100 * host).toString(16)}::1`))).to.equal(4 * ofClient);
    expect(await count(toAddresses((host) => `2001:db8:${host.toString(16)}::1`))).to.be.within(
      190 * ofClient,
      200 * ofClient,
    );
    expect(await count(toAddresses((host) => `198.51.100.${host}`))).to.be.within(190 * ofClient, 200 * ofClient);
  });

  it('of a narrow network that refuses leaves the wider ones to others', async () => {
    const limit = createNetworkLimit(FEW);
    expect(await countAccepted(limit, '2001:db8::1', 100)).to.equal(3);
    expect(await countAccepted(limit, '2001:db8:0:1::1', 100)).to.equal(3);
  });

  it('on keys that clients can invent keeps at most 65,536 counters', async () => {
    const limit = createOpenLimit({ perSecond: 1, burst: 0 });
    let accepted = 0;
    for (let key = 0; key < 120_000; key += 1) accepted += await countAccepted(limit, `address ${key}`, 1);
    expect(accepted).to.be.within(50_000, 65_536);
  });
});

describe('a server with rate limits', () => {
  const LIMITED = { tenant: { perSecond: 1, burst: 2 }, open: { perSecond: 1, burst: 2 }, tokenFailuresPerMinute: 0 };
  const server = useNewServer({ rates: LIMITED, trustProxy: 1 });

  const several = (send: () => Promise<ServerAnswer>): Promise<ServerAnswer[]> =>
    Promise.all(Array.from({ length: 12 }, send));
  const list = (as = server.tenant.reader) => server.request('GET', '/svc/v2/assets', { as });
  const getKeys = (from: string) =>
    server.request('GET', '/.well-known/jwks.json', { as: null, headers: { 'x-forwarded-for': from } });

  it('answers 429 with both headers to a tenant that sends too many requests', async () => {
    const answers = await several(list);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).to.be.within(1, 9);
    for (const answer of refused) {
      expectProblem(answer, 429, 'RATE_LIMITED');
      expect(answer.headers.get('retry-after')).to.equal('1');
      expect(Number(answer.headers.get('archivist-rate-limit-reset')))
        .to.be.greaterThan(0)
        .and.at.most(1);
    }
  });

  const refuse = (from: string, authorization = 'Bearer nonsense') => {
    const headers = { authorization, 'x-forwarded-for': from };
    return server.request('GET', '/svc/v2/assets', { as: null, headers });
  };

  it('counts requests whose token is refused by address, and towards no tenant', async () => {
    const refused = await several(() => refuse('192.0.2.9'));
    expect(new Set(refused.map(({ status }) => status))).to.eql(new Set([401, 429]));
    expect((await refuse('192.0.2.10')).status).to.equal(401);
    expect((await list()).status).to.equal(200);
  });

  it('accepts a valid token, and issues one, at an address whose tokens are refused', async () => {
    const from = '192.0.2.11';
    await several(() => refuse(from));
    const headers = { 'x-forwarded-for': from };
    expect((await server.request('GET', '/svc/v2/assets', { headers })).status).to.equal(200);
    expect((await getKeys(from)).status).to.equal(200);
  });

  it('counts requests for what the token gives no right to by address', async () => {
    const [from, as] = ['192.0.2.12', server.tenant.reader];
    const headers = { 'x-forwarded-for': from };
    const refused = await several(() => server.request('GET', '/svc/iam/v1/applications', { as, headers }));
    expect(new Set(refused.map(({ status }) => status))).to.eql(new Set([403, 429]));
  });

  it('never answers 429 to an upload', async () => {
    const asset = await createAnAsset(server);
    await several(() => server.request('GET', `/svc/v2/assets/${asset}`));
    const uploads = await Promise.all(Array.from({ length: 12 }, (_, count) => upload(server, `file ${count}`)));
    expect(new Set(uploads.map(({ status }) => status))).to.eql(new Set([200]));
  });

  it('counts requests without a token by address', async () => {
    const answers = await several(() => getKeys('192.0.2.1'));
    expect(answers.map(({ status }) => status)).to.include(429);
    expect((await getKeys('192.0.2.2')).status).to.equal(200);
  });
});

describe('a server with a rate limit for several clients', () => {
  const BURST = 60;
  const rate = { perSecond: 1, burst: BURST };
  let server: TestServer;
  before(async () => {
    const rates = { tenant: rate, open: rate, tokenFailuresPerMinute: 0 };
    server = await startTestServer({ rates, trustProxy: 1 });
  });
  after(() => server.close());

  const sendAll = (send: () => Promise<ServerAnswer>): Promise<ServerAnswer[]> =>
    Promise.all(Array.from({ length: BURST - 5 }, send));
  const list = (as = server.tenant.reader) => server.request('GET', '/svc/v2/assets', { as });
  const getKeys = (from: string) =>
    server.request('GET', '/.well-known/jwks.json', { as: null, headers: { 'x-forwarded-for': from } });

  // If they were counted separately, none would be refused. Each second accepts one more; the burst is per minute.
  const expectCountedTogether = (answers: ServerAnswer[]): void => {
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted.length).to.be.greaterThan(BURST).and.lessThan(answers.length);
  };

  it('counts all principals of a tenant together, and other tenants separately', async () => {
    const answers = await Promise.all([sendAll(list), sendAll(() => list(server.tenant.writer))]);
    expectCountedTogether(answers.flat());
    expect((await list(server.otherTenant.reader)).status).to.equal(200);
  });

  it('counts the addresses of one IPv6 network together', async () => {
    const answers = await Promise.all([
      sendAll(() => getKeys('2001:db8:0:1::1')),
      sendAll(() => getKeys('2001:DB8::1:ffff:0:0:2')),
    ]);
    expectCountedTogether(answers.flat());
    expect((await getKeys('2001:db8:0:2::1')).status).to.equal(200);
  });
});

describe('every route without a token', () => {
  const UUID = '5b0f2b1e-2f55-4b1a-8a3e-6d1d7f0c9e21';
  const PATHS = [
    '/docs',
    '/docs/start.js',
    '/docs/swagger-ui-bundle.js',
    '/openapi.json',
    '/docs/compliance.json',
    '/.well-known/jwks.json',
    '/nothing/here',
    '/docs/nothing',
    '/svc/v2/assets/%ff',
    `/svc/v2/publicassets/${UUID}`,
    '/svc/v2/publicassets/-/events',
    `/svc/v2/attachments/publicassets/${UUID}/${UUID}`,
  ];
  const rates = { tenant: OFF, open: { perSecond: 1, burst: 0 }, tokenFailuresPerMinute: 0 };
  let addresses = 0;
  const server = useServer({ rates, trustProxy: 1 });

  const newAddress = (): string => `192.0.2.${++addresses}`;
  const get = (path: string, from: string, method = 'GET') =>
    server.request(method, path, { as: null, headers: { 'x-forwarded-for': from } });
  const exhaust = (path: string, from: string, method?: string): Promise<ServerAnswer[]> =>
    Promise.all(Array.from({ length: 12 }, () => get(path, from, method)));

  const expectLimited = (answers: ServerAnswer[]): void => {
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).to.be.within(1, 11);
    for (const answer of refused) expectProblem(answer, 429, 'RATE_LIMITED');
  };

  for (const path of [...PATHS, '/healthz', '/readyz']) {
    it(`is limited by address: ${path}`, async () => expectLimited(await exhaust(path, newAddress())));
  }

  it('is limited by address: a method that a path does not have', async () => {
    expectLimited(await exhaust('/svc/v2/assets', newAddress(), 'PUT'));
  });

  for (const [name, hosts] of [
    ['a missing', ''],
    ['a repeated', 'host: a\r\nhost: b\r\n'],
  ] as const) {
    it(`is limited by address: a request with ${name} host`, async () => {
      const { hostname, port } = new URL(server.url);
      const headers = `${hosts}x-forwarded-for: ${newAddress()}\r\n`;
      const socket = connect(Number(port), hostname);
      socket.end(`GET /svc/v2/assets HTTP/1.1\r\n${headers}\r\n`.repeat(12));
      const answers = await text(socket);
      const statuses = [...answers.matchAll(/HTTP\/1.1 (\d{3}) /g)].map(([, status]) => status);
      expect(new Set(statuses)).to.eql(new Set(['400', '429']));
    });
  }

  it('is limited by address: the token endpoint', async () => {
    expectLimited(await exhaust('/archivist/iam/v1/appidp/token', newAddress(), 'POST'));
  });

  it('shares one limit, except the health endpoints, which have their own', async () => {
    const address = newAddress();
    const answers = await Promise.all([...PATHS, ...PATHS].map((path) => get(path, address)));
    expect(answers.filter(({ status }) => status === 429).length).to.be.at.least(PATHS.length);
    expect((await get('/healthz', address)).status).to.equal(200);
    const probed = newAddress();
    await exhaust('/readyz', probed);
    expect((await get('/.well-known/jwks.json', probed)).status).to.equal(200);
  });

  it('is limited while the server starts', async () => {
    const starting = await listen(createStartingApp({ ...server.deps, rates }), {
      host: '127.0.0.1',
      port: 0,
      graceMs: 0,
    });
    const answers = await Promise.all(Array.from({ length: 12 }, () => fetch(`${starting.url}/svc/v2/assets`)));
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).to.eql(new Set([503, 429]));
    expect((await fetch(`${starting.url}/healthz`)).status).to.equal(200);
    await starting.close();
  });
});

describe('a server that trusts no proxy', () => {
  it('counts by the address of the connection and ignores the header', async () => {
    const rates = { tenant: OFF, open: { perSecond: 1, burst: 0 }, tokenFailuresPerMinute: 0 };
    const server = await startTestServer({ rates });
    const getKeys = (from: string) =>
      server.request('GET', '/.well-known/jwks.json', { as: null, headers: { 'x-forwarded-for': from } });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, count) => getKeys(`192.0.2.${count}`)));
    expect(answers.map(({ status }) => status)).to.include(429);
    await server.close();
  });
});
