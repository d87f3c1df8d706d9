import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import {
  type BrowserIssuers,
  createBrowserIssuers,
  ENDPOINTS_FRESH_MS,
  RETRY_MS,
} from '../../../../server/auth/tokens/browserIssuers.ts';
import type { SignInEndpoints } from '../../../../server/auth/tokens/signInEndpoints.ts';

const ISSUER = 'https://login.example';
const BROWSER = { clientId: 'explorer', scope: 'openid' };

const toEndpoints = (tokenOrigin: string): SignInEndpoints => ({
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${tokenOrigin}/token`,
  authorization_response_iss_parameter_supported: false,
  id_token_signing_alg_values_supported: ['RS256'],
});

describe('the issuers for browsers', () => {
  let atMs: number;
  let fetches: PromiseWithResolvers<SignInEndpoints>[];
  let problems: string[];
  let issuers: BrowserIssuers;
  beforeEach(() => {
    atMs = 0;
    fetches = [];
    problems = [];
    issuers = createBrowserIssuers([{ issuer: ISSUER, browser: BROWSER }, { issuer: 'https://programs.example' }], {
      fetchEndpoints: () => {
        fetches.push(Promise.withResolvers());
        return fetches.at(-1)!.promise;
      },
      nowMs: () => atMs,
      onProblem: (message) => problems.push(message),
    });
  });

  const answer = async (): Promise<void> => {
    fetches.at(-1)!.resolve(toEndpoints(ISSUER));
    await setImmediate();
  };
  const fail = async (): Promise<void> => {
    fetches.at(-1)!.reject(new Error('refused'));
    await setImmediate();
  };
  const isReached = (): boolean => issuers.read()[0]!.endpoints !== null;

  it('are those with a client for browsers', () => {
    expect(issuers.read()).to.deep.equal([{ issuer: ISSUER, client_id: 'explorer', scope: 'openid', endpoints: null }]);
  });

  it('are fetched at once, one at a time, without a reader that waits', async () => {
    expect([fetches.length, isReached(), isReached(), fetches.length]).to.deep.equal([1, false, false, 1]);
    expect(issuers.tokenOrigins()).to.deep.equal([]);
    await answer();
    expect([isReached(), fetches.length]).to.deep.equal([true, 1]);
    expect(issuers.tokenOrigins()).to.deep.equal([ISSUER]);
  });

  it('name themselves in their answers where there are several: others are not offered, and reported', async () => {
    const named = 'https://named.example';
    const several = createBrowserIssuers(
      [ISSUER, named].map((issuer) => ({ issuer, browser: BROWSER })),
      {
        fetchEndpoints: async (issuer) => ({
          ...toEndpoints(issuer),
          authorization_response_iss_parameter_supported: issuer === named,
        }),
        nowMs: () => atMs,
        onProblem: (message, cause) => problems.push(`${message}: ${(cause as Error).message}`),
      },
    );
    await setImmediate();
    expect(several.read().map(({ issuer, endpoints }) => [issuer, endpoints !== null])).to.deep.equal([
      [ISSUER, false],
      [named, true],
    ]);
    expect(several.tokenOrigins()).to.deep.equal([named]);
    expect(problems).to.have.length(1);
    expect(problems[0]).to.contain(ISSUER).and.to.contain('RFC 9207');
  });

  it('are fetched again when they are old and read', async () => {
    await answer();
    atMs = ENDPOINTS_FRESH_MS - 1;
    expect([isReached(), fetches.length]).to.deep.equal([true, 1]);
    atMs = ENDPOINTS_FRESH_MS;
    expect([isReached(), fetches.length]).to.deep.equal([true, 2]);
  });

  it('are not reached after a fetch that failed, keep their origins, and are fetched again after a pause', async () => {
    await answer();
    atMs = ENDPOINTS_FRESH_MS;
    issuers.read();
    await fail();
    expect([isReached(), fetches.length]).to.deep.equal([false, 2]);
    expect(issuers.tokenOrigins()).to.deep.equal([ISSUER]);
    atMs += RETRY_MS;
    expect([isReached(), fetches.length]).to.deep.equal([false, 3]);
    await answer();
    expect(isReached()).to.equal(true);
  });

  it('are reported once while they fail', async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await fail();
      atMs += RETRY_MS;
      issuers.read();
    }
    expect(problems).to.deep.equal([`browsers can't sign in with ${ISSUER}`]);
  });
});
