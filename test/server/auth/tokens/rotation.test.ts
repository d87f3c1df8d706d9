// The real application over HTTP, with an issuer in its own process whose keys change, and which stops responding,
// during requests.
import { expect } from 'chai';
import { KEYS_FRESH_MS, KEYS_USABLE_MS, REFETCH_MS } from '../../../../server/auth/tokens/issuerKeys.ts';
import { DISCOVERY_PATH, KEYS_PATH, type OidcIssuer, startOidcIssuer } from '../../../support/startOidcIssuer.ts';
import { until } from '../../../support/until.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { type OidcServer, signToken, startOidcServer, toClaims, toSettings } from '../../support/oidcServer.ts';

const WORKERS = 4;
const ROTATIONS = 6;

describe('the keys of another issuer', () => {
  let issuer: OidcIssuer;
  let server: OidcServer;
  beforeEach(async () => {
    issuer = await startOidcIssuer();
    server = await startOidcServer([toSettings(issuer.url)]);
  });
  afterEach(async () => {
    await server.close();
    await issuer.stop();
  });

  const sign = (header: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) =>
    signToken(issuer, toClaims(issuer.url, server, changes), header);
  const signUnknown =
    (number: number, changes: Record<string, unknown> = {}) =>
    async () => {
      const [, payload, signature] = (await sign({}, changes)).split('.');
      const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: `unknown-${number}` }));
      return `${header.toString('base64url')}.${payload}.${signature}`;
    };

  it('rotate during requests, and no valid token is refused', async () => {
    const statuses: number[] = [];
    let isOver = false;
    const work = async (): Promise<void> => {
      const first = await sign();
      while (!isOver) {
        for (const token of [await sign(), first]) statuses.push((await server.get(token)).status);
      }
    };
    const workers = Array.from({ length: WORKERS }, work);
    for (let rotation = 1; rotation <= ROTATIONS; rotation += 1) {
      const seen = statuses.length;
      await until(() => statuses.length >= seen + 4 * WORKERS);
      server.clock.atMs += rotation % 3 === 0 ? KEYS_FRESH_MS : REFETCH_MS;
      await issuer.rotate();
    }
    isOver = true;
    await Promise.all(workers);
    expect(new Set(statuses)).to.eql(new Set([200]));
    expect(statuses.length).to.be.greaterThan(ROTATIONS * WORKERS);
    expect(await issuer.fetches()).to.be.within(ROTATIONS + 1, 2 * ROTATIONS + 1);
  });

  it('no longer verify tokens once they are withdrawn and the caches have expired', async () => {
    const token = await sign();
    const another = await sign({}, { sub: 'bob' });
    expect((await server.get(token)).status).to.equal(200);
    await issuer.rotate();
    await issuer.withdraw();
    server.clock.atMs += KEYS_FRESH_MS - 1;
    expect((await server.get(token)).status).to.equal(200);
    expect((await server.get(another)).status).to.equal(200);
    server.clock.atMs += 1;
    expectProblem(await server.get(another), 401, 'UNAUTHENTICATED');
    expectProblem(await server.get(token), 401, 'UNAUTHENTICATED');
    expect((await server.get(await sign())).status).to.equal(200);
  });

  it('are fetched once for any number of concurrent requests', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, number) => sign({}, { sub: `s${number}` })));
    const answers = await Promise.all(tokens.map((token) => server.get(token)));
    expect(answers.map(({ status }) => status)).to.eql(tokens.map(() => 200));
    expect(await issuer.fetches()).to.equal(1);
  });

  it('are fetched at most once per interval, whatever keys the tokens name', async () => {
    await server.get(await sign());
    for (const round of [1, 2, 3]) {
      const tokens = await Promise.all(Array.from({ length: 20 }, (_, number) => signUnknown(100 * round + number)()));
      for (const { status } of await Promise.all(tokens.map((token) => server.get(token)))) {
        expect(status).to.be.oneOf([401, 503]);
      }
      expect(await issuer.fetches()).to.equal(1 + round);
      server.clock.atMs += REFETCH_MS;
    }
  });

  it('if unknown, are refused after a fetch, and without one if the token is older than the last fetch', async () => {
    await server.get(await sign());
    expectProblem(await server.get(await signUnknown(1)()), 401, 'UNAUTHENTICATED');
    const iat = Math.floor(server.clock.atMs / 1000) - 31;
    expectProblem(await server.get(await signUnknown(2, { iat })()), 401, 'UNAUTHENTICATED');
    expect(await issuer.fetches()).to.equal(2);
  });

  it('may be newer than the last fetch: 503, and found at the next fetch', async () => {
    await server.get(await sign());
    await server.get(await signUnknown(1)());
    await issuer.rotate();
    const token = await sign();
    expectProblem(await server.get(token), 503, 'ISSUER_UNAVAILABLE');
    server.clock.atMs += REFETCH_MS;
    expect((await server.get(token)).status).to.equal(200);
  });

  it('if unavailable, are 503 with a time to retry, and are fetched again after the interval', async () => {
    await issuer.misbehave(KEYS_PATH, { status: 500 });
    for (const token of [await sign(), await sign()]) {
      const answer = await server.get(token);
      expectProblem(answer, 503, 'ISSUER_UNAVAILABLE');
      expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
    }
    expect(await issuer.fetches()).to.equal(1);
    expect(server.problems).to.eql([`the keys of ${issuer.url} can't be fetched`]);
    await issuer.misbehave(KEYS_PATH, undefined);
    server.clock.atMs += REFETCH_MS;
    expect((await server.get(await sign())).status).to.equal(200);
  });

  it('remain usable for an hour after the issuer stops responding', async () => {
    const token = await sign({}, { exp: Math.floor(server.clock.atMs / 1000) + 7200 });
    await server.get(token);
    await issuer.misbehave(DISCOVERY_PATH, { status: 500 });
    server.clock.atMs += KEYS_USABLE_MS - 1;
    expect((await server.get(token)).status).to.equal(200);
    server.clock.atMs += 1;
    expectProblem(await server.get(token), 503, 'ISSUER_UNAVAILABLE');
  });

  it('do not delay requests with other tokens while the issuer does not respond', async () => {
    await issuer.misbehave(KEYS_PATH, { hold: true });
    let isAnswered = false;
    const waiting = server.get(await sign()).then((answer) => {
      isAnswered = true;
      return answer;
    });
    await until(async () => (await issuer.fetches()) === 1);
    expect((await server.request('GET', '/svc/v2/assets')).status).to.equal(200);
    expect(isAnswered).to.equal(false);
    await issuer.misbehave(KEYS_PATH, undefined);
    expectProblem(await waiting, 503, 'ISSUER_UNAVAILABLE');
  });

  it('are fetched again after the clock is set back to before their fetch', async () => {
    await server.get(await sign());
    server.clock.atMs -= KEYS_USABLE_MS;
    expect((await server.get(await sign())).status).to.equal(200);
    expect(await issuer.fetches()).to.equal(2);
  });

  it('of one issuer do not verify the tokens of another', async () => {
    const other = await startOidcIssuer();
    const both = await startOidcServer([toSettings(issuer.url), toSettings(other.url)]);
    const claims = toClaims(issuer.url, both);
    expect((await both.get(await signToken(issuer, claims))).status).to.equal(200);
    expectProblem(await both.get(await signToken(other, claims)), 401, 'UNAUTHENTICATED');
    expect((await both.get(await signToken(other, { ...claims, iss: other.url }))).status).to.equal(200);
    await both.close();
    await other.stop();
  });
});
