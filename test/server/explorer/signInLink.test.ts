// The link that signs the operator in once: its code, and the route that exchanges it.
import { request as httpRequest } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { createApp } from '../../../server/app.ts';
import { createSignInLink, LINK_LIFETIME_MS, type SignInLink } from '../../../server/explorer/signInLink.ts';
import { listen } from '../../../server/listen.ts';
import { skipWithout } from '../../support/missing.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { type RequestOptions, type ServerAnswer, startTestServer, type TestServer } from '../support/testServer.ts';

const ORIGIN = 'http://127.0.0.1:8080';

describe('the code of the link that signs in once', () => {
  let atMs: number;
  let link: SignInLink;
  beforeEach(() => {
    atMs = 0;
    link = createSignInLink(() => atMs);
  });
  const open = (clientId = 'a'): string => link.open({ origin: ORIGIN, clientId }).split('#code=')[1]!;

  it('has 256 bits in the fragment of the link', () => {
    const opened = link.open({ origin: ORIGIN, clientId: 'a' });
    expect(opened).to.match(/^http:\/\/127\.0\.0\.1:8080\/sign-in#code=[\w-]{43}$/);
    expect(open()).not.to.equal(open());
  });

  it('is taken once', () => {
    const code = open();
    expect([link.take(code), link.take(code), link.readOrigin()]).to.deep.equal(['a', undefined, undefined]);
  });

  it('stays when another is tried', () => {
    const code = open();
    expect(['', `${code}A`, code.slice(1), code.toLowerCase()].map((other) => link.take(other))).to.deep.equal([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(link.take(code)).to.equal('a');
  });

  it('ends after five minutes', () => {
    const code = open();
    atMs = LINK_LIFETIME_MS - 1;
    expect(link.readOrigin()).to.equal(ORIGIN);
    atMs = LINK_LIFETIME_MS;
    expect([link.readOrigin(), link.take(code)]).to.deep.equal([undefined, undefined]);
    atMs = 0;
    expect(link.take(code)).to.equal(undefined);
  });

  it('ends when another link is opened', () => {
    const [first, second] = [open('a'), open('b')];
    expect([link.take(first), link.take(second)]).to.deep.equal([undefined, 'b']);
  });
});

describe('POST /ui/first-sign-in', () => {
  let server: TestServer;
  let link: SignInLink;
  let atMs: number;
  before(async () => {
    link = createSignInLink(() => atMs);
    server = await startTestServer({ signInLink: link });
  });
  after(() => server.close());
  beforeEach(() => {
    atMs = 0;
  });

  const open = (): string =>
    link.open({ origin: server.url, clientId: server.tenant.writer.clientId! }).split('#code=')[1]!;
  const exchange = (code: unknown, headers = {}, options: RequestOptions = {}): Promise<ServerAnswer> =>
    server.request('POST', '/ui/first-sign-in', {
      as: null,
      headers: { origin: server.url, ...headers },
      json: { code },
      ...options,
    });
  const expectRefused = (answer: ServerAnswer, field: string): void =>
    expectProblem(answer, 403, 'SIGN_IN_LINK_REFUSED', field);
  // `fetch` sends the host of the URL.
  const exchangeAt = (host: string, code: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' };
      httpRequest(`${server.url}/ui/first-sign-in`, { method: 'POST', headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      })
        .once('error', reject)
        .end(JSON.stringify({ code }));
    });

  it('answers the code once, with a token of the application', async () => {
    const code = open();
    const { status, headers, body } = await exchange(code);
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect(body).to.include({ token_type: 'Bearer', expires_in: 3600 });
    const content = await server.tokens.verify(body.access_token);
    expect(content).to.include({ clientId: server.tenant.writer.clientId, isForeign: false });
    expect(content.roles).to.deep.equal(['writer']);
    expectRefused(await exchange(code), 'code');
  });

  it('answers one of several requests at once', async () => {
    const code = open();
    const answers = await Promise.all([exchange(code), exchange(code), exchange(code)]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 403, 403]);
  });

  it('refuses a wrong code, and one that comes late', async () => {
    const code = open();
    expectRefused(await exchange(`${code}A`), 'code');
    atMs = LINK_LIFETIME_MS;
    expectRefused(await exchange(code), 'code');
  });

  it('refuses other hosts and pages, and keeps the code', async () => {
    const code = open();
    const { port } = new URL(server.url);
    for (const origin of [
      'http://evil.example',
      'null',
      server.url.replace('http:', 'https:'),
      `http://localhost:${port}`,
    ])
      expectRefused(await exchange(code, { origin }), 'origin');
    expectRefused(await exchange(code, {}, { headers: {} }), 'origin');
    for (const host of [`localhost:${port}`, `evil.example:${port}`, '127.0.0.1', '127.0.0.1:1'])
      expect([host, await exchangeAt(host, code)]).to.deep.equal([host, 403]);
    expect((await exchange(code)).status).to.equal(200);
  });

  it('refuses what a proxy has passed on', async () => {
    const code = open();
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto'])
      expectRefused(await exchange(code, { [name]: '127.0.0.1' }), name);
    expect((await exchange(code)).status).to.equal(200);
  });

  it('refuses forms, other bodies and other methods', async () => {
    const code = open();
    const form = { headers: { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' } };
    expectProblem(await exchange(code, {}, { ...form, body: `code=${code}` }), 415, 'MEDIA_TYPE_UNSUPPORTED');
    const json = { headers: { origin: server.url, 'content-type': 'application/json' } };
    for (const body of ['', '{', '"a"', '[]', '{}', `{"code":["${code}"]}`])
      expectProblem(await exchange(code, {}, { ...json, body, json: undefined }), 400, 'REQUEST_INVALID');
    const large = await exchange(code, {}, { ...json, body: `{"code":"${'a'.repeat(2_000)}"}`, json: undefined });
    expectProblem(large, 413, 'REQUEST_TOO_LARGE');
    expectProblem(await server.request('GET', `/ui/first-sign-in?code=${code}`, { as: null }), 404, 'ROUTE_NOT_FOUND');
    expect((await exchange(code)).status).to.equal(200);
  });

  it('is limited for each address', async () => {
    const none = { perSecond: 0, burst: 0 };
    const rates = { tenant: none, open: { perSecond: 2, burst: 1 }, tokenFailuresPerMinute: 0 };
    const limited = await startTestServer({ ...server.deps, rates });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => limited.request('POST', '/ui/first-sign-in', { as: null, json: { code: 'a' } })),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([403, 429]));
    await limited.close();
  });

  it('does not exist without a link', async () => {
    const bare = await startTestServer();
    expectProblem(await bare.request('POST', '/ui/first-sign-in', { as: null, json: {} }), 404, 'ROUTE_NOT_FOUND');
    await bare.close();
  });
});

// An address of this machine that isn't loopback; undefined where there is none.
const findOuterAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('the link of a server that listens on another address', () => {
  it('is refused', async function () {
    const host = findOuterAddress();
    if (host === undefined) return skipWithout(this, 'a network address besides 127.0.0.1');
    const inner = await startTestServer();
    const link = createSignInLink(() => 0);
    const outer = await listen(createApp({ ...inner.deps, signInLink: link }), { host, port: 0, graceMs: 1_000 });
    const code = link.open({ origin: outer.url, clientId: inner.tenant.writer.clientId! }).split('#code=')[1];
    const answer = await fetch(`${outer.url}/ui/first-sign-in`, {
      method: 'POST',
      headers: { origin: outer.url, 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    const { details } = (await answer.json()) as { details: object[] };
    expect(answer.status).to.equal(403);
    expect(details[0]).to.include({ error: 'SIGN_IN_LINK_REFUSED', field: 'address' });
    await outer.close();
    await inner.close();
  });
});
