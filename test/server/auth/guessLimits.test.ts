import { mock } from 'node:test';
import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { limitGuesses } from '../../../server/auth/guessLimits.ts';
import { codeOf } from '../support/codeOf.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { SECRET, startTestServer, type TestServer } from '../support/testServer.ts';

const PER_MINUTE = 3;
const WIDE = PER_MINUTE * 10;
const CLIENT = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const HOME = '192.0.2.1';
const toClient = (count: number): string => `3f0e9f6c-8d1c-4a55-9a0e-${String(count).padStart(12, '0')}`;

describe('guesses at a client secret', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_000_000 }));
  afterEach(() => mock.timers.reset());

  const createAttempts = (perMinute = PER_MINUTE) => {
    let looks = 0;
    const issue = limitGuesses(perMinute, async ({ body }) => {
      looks += 1;
      if (body.client_secret !== SECRET) throw new LedgerError('CLIENT_REFUSED');
      return { status: 200, body: { access_token: '', expires_in: 1, token_type: 'Bearer' } };
    });
    const attempt = (secret: string, address: string, client = CLIENT) =>
      codeOf(issue({ body: { client_id: client, client_secret: secret }, address } as never));
    return {
      attempt,
      guess: async (times: number, address: string, client = CLIENT) => {
        for (let time = 0; time < times; time += 1) await attempt('wrong', address, client);
      },
      looks: () => looks,
    };
  };

  it('are limited per minute for one client id from one address', async () => {
    const { attempt, guess, looks } = createAttempts();
    await guess(PER_MINUTE, HOME);
    expect(await attempt('wrong', HOME)).to.equal('RATE_LIMITED');
    expect(await attempt(SECRET, HOME)).to.equal('RATE_LIMITED');
    expect(await attempt('wrong', HOME, CLIENT.toUpperCase())).to.equal('RATE_LIMITED');
    expect(looks()).to.equal(PER_MINUTE);
    mock.timers.tick(60_000);
    expect(await attempt(SECRET, HOME)).to.equal(undefined);
  });

  it('of one client id from other addresses never lock out the client at an address without wrong guesses', async () => {
    const { attempt, guess } = createAttempts();
    for (let host = 0; host < WIDE + 20; host += 1) await guess(PER_MINUTE + 1, `198.51.100.${host}`);
    expect(await attempt(SECRET, '203.0.113.1')).to.equal(undefined);
    expect(await attempt(SECRET, '198.51.100.1')).to.equal('RATE_LIMITED');
  });

  it('are limited for the networks of an IPv6 address, too', async () => {
    const { guess, looks } = createAttempts();
    for (let network = 0; network < 255; network += 1)
      await guess(PER_MINUTE, `2001:db8:0:${(0x700 + network).toString(16)}::1`, toClient(network));
    expect(looks()).to.equal(2 * WIDE);
  });

  it('are limited alike when they are concurrent', async () => {
    const { attempt, looks } = createAttempts();
    const codes = await Promise.all(Array.from({ length: 50 }, () => attempt('wrong', HOME)));
    expect(codes.filter((code) => code === 'CLIENT_REFUSED')).to.have.length(PER_MINUTE);
    expect(looks()).to.equal(PER_MINUTE);
    await Promise.all(Array.from({ length: 100 }, (_, count) => attempt('wrong', HOME, toClient(count))));
    expect(looks()).to.equal(WIDE);
  });

  it('of many client ids from one address have a limit ten times as high', async () => {
    const { guess, looks, attempt } = createAttempts();
    for (let count = 0; count < WIDE + 20; count += 1) await guess(1, HOME, toClient(count));
    expect(looks()).to.equal(WIDE);
    expect(await attempt('wrong', '192.0.2.2', toClient(0))).to.equal('CLIENT_REFUSED');
  });

  it('at other addresses or other clients do not lock out a client with an earlier success at its address', async () => {
    const { attempt, guess } = createAttempts();
    expect(await attempt(SECRET, HOME)).to.equal(undefined);
    for (let host = 0; host < WIDE + 20; host += 1) await guess(1, `198.51.100.${host}`);
    for (let count = 0; count < WIDE + 20; count += 1) await guess(1, HOME, toClient(count));
    mock.timers.tick(30_000);
    expect(await attempt(SECRET, HOME)).to.equal(undefined);
  });

  it('at other clients lock out a client that is new at the address for at most a minute', async () => {
    const { attempt, guess } = createAttempts();
    for (let count = 0; count < WIDE; count += 1) await guess(1, HOME, toClient(count));
    expect(await attempt(SECRET, HOME)).to.equal('RATE_LIMITED');
    mock.timers.tick(60_000);
    expect(await attempt(SECRET, HOME)).to.equal(undefined);
  });

  it('are no longer counted after the right secret', async () => {
    const { attempt, guess } = createAttempts();
    for (let time = 0; time < 5; time += 1) {
      await guess(PER_MINUTE - 1, HOME);
      expect(await attempt(SECRET, HOME)).to.equal(undefined);
    }
  });

  it('are not counted without a limit', async () => {
    const { guess, looks } = createAttempts(0);
    await guess(500, HOME);
    expect(looks()).to.equal(500);
  });
});

describe('POST iam/v1/appidp/token after wrong secrets', () => {
  let server: TestServer;
  before(async () => {
    const none = { perSecond: 0, burst: 0 };
    server = await startTestServer({ rates: { tenant: none, open: none, tokenFailuresPerMinute: 3 }, trustProxy: 1 });
  });
  after(() => server.close());

  const requestToken = (secret: string, from: string) =>
    server.request('POST', '/archivist/iam/v1/appidp/token', {
      as: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: server.tenant.writer.clientId!,
        client_secret: secret,
      }).toString(),
    });

  it('answers 401, then 429 until the end of the minute, to this address only', async () => {
    for (let time = 0; time < 3; time += 1) expectProblem(await requestToken('wrong', HOME), 401, 'CLIENT_REFUSED');
    const refused = await requestToken(SECRET, HOME);
    expectProblem(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(2, 60);
    expect(Number(refused.headers.get('archivist-rate-limit-reset'))).to.be.within(1, 60);
    expect((await requestToken(SECRET, '192.0.2.2')).status).to.equal(200);
  });

  it('accepts the right secret from another address at once, after and during any number of wrong ones', async () => {
    const wrong = Array.from({ length: 60 }, () => requestToken('wrong', '198.51.100.7'));
    const [right, ...refused] = await Promise.all([requestToken(SECRET, '203.0.113.1'), ...wrong]);
    expect(refused.map(({ status }) => status).filter((status) => status === 401)).to.have.length(3);
    expect(right.status).to.equal(200);
    for (let host = 0; host < 40; host += 1) await requestToken('wrong', `198.51.100.${host}`);
    expect((await requestToken(SECRET, '203.0.113.2')).status).to.equal(200);
  });
});
