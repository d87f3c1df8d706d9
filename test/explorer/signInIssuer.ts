// A small OpenID Connect issuer for browsers on this machine: a page where a person decides, a redirect with a code,
// and an exchange of the code that verifies PKCE. It accepts one public client, whose tokens name one tenant.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { OidcIssuerSettings } from '../../server/auth/tokens/oidcSettings.ts';

const CLIENT_ID = 'ledger-explorer';
const AUDIENCE = 'https://ledger.example';
const KEY_ID = 'key-1';

/** What an issuer does, which tests change. */
export interface Conduct {
  /** Whether it answers at all. */
  isUp: boolean;
  lifetimeSeconds: number;
  /** Changes the parameters with which it sends the browser back. */
  changeAnswer: (answer: URLSearchParams) => void;
  /** Changes the nonce of its ID tokens. */
  toNonce: (nonce: string) => string;
  /** Type of its access tokens. */
  tokenType: string;
}

/** A running issuer. */
export interface SignInIssuer {
  readonly url: string;
  readonly settings: OidcIssuerSettings;
  readonly conduct: Conduct;
  /** The outcomes of the exchanges so far. */
  readonly exchanges: string[];
  /** The conduct of an issuer without a fault. */
  reset(): void;
  close(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly nonce: string;
}

const RIGHT: Conduct = {
  isUp: true,
  lifetimeSeconds: 600,
  changeAnswer: () => undefined,
  toNonce: (nonce) => nonce,
  tokenType: 'at+jwt',
};

const toSettings = (issuer: string, tenant: string): OidcIssuerSettings => ({
  issuer,
  audiences: [AUDIENCE],
  algorithms: ['ES256'],
  tokenTypes: ['at+jwt'],
  clockToleranceSeconds: 0,
  lifetimeSecondsMax: 3_600,
  tenants: [tenant],
  tenantClaim: ['tenant'],
  rolesClaim: ['roles'],
  roleMap: undefined,
  browser: { clientId: CLIENT_ID, scope: 'openid ledger' },
});

const toPage = (target: URLSearchParams): string =>
  `<!doctype html><html lang="en"><title>Issuer</title><link rel="icon" href="data:,"><h1>Issuer</h1>
   <a href="/decide?${target}&amp;is=yes">Continue as Anna</a> <a href="/decide?${target}&amp;is=no">Decline</a>`;

const sendJson = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
};

// A request for a code, as RFC 6749 section 4.1.1 and RFC 7636 section 4.3 have it.
const isRequest = (query: URLSearchParams, origin: string): boolean =>
  query.get('client_id') === CLIENT_ID &&
  query.get('response_type') === 'code' &&
  query.get('redirect_uri') === `${origin}/sign-in` &&
  query.get('scope') === 'openid ledger' &&
  query.get('code_challenge_method') === 'S256' &&
  /^[\w-]{43}$/.test(query.get('code_challenge') ?? '') &&
  (query.get('state') ?? '').length >= 32 &&
  (query.get('nonce') ?? '').length >= 32;

const toChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** Starts the issuer. `findOrigin` returns the origin of the pages that use it. */
export const startSignInIssuer = async (tenant: string, findOrigin: () => string): Promise<SignInIssuer> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'ES256', use: 'sig' };
  const conduct = { ...RIGHT };
  const grants = new Map<string, Grant>();
  const exchanges: string[] = [];

  const sign = (claims: JWTPayload, typ: string): Promise<string> => {
    const issuedAt = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: url, sub: 'anna', iat: issuedAt, exp: issuedAt + conduct.lifetimeSeconds, ...claims })
      .setProtectedHeader({ alg: 'ES256', typ, kid: KEY_ID })
      .sign(privateKey);
  };

  const decide = (query: URLSearchParams, response: ServerResponse): void => {
    const answer = new URLSearchParams({ state: query.get('state')!, iss: url });
    if (query.get('is') === 'yes') {
      const code = randomUUID();
      const [challenge, redirectUri, nonce] = ['code_challenge', 'redirect_uri', 'nonce'].map(
        (name) => query.get(name)!,
      );
      grants.set(code, { challenge: challenge!, redirectUri: redirectUri!, nonce: nonce! });
      answer.set('code', code);
    } else {
      answer.set('error', 'access_denied');
      answer.set('error_description', 'Anna declined');
    }
    conduct.changeAnswer(answer);
    response.writeHead(302, { location: `${query.get('redirect_uri')}?${answer}` }).end();
  };

  // A public client has no secret; a code is for one exchange.
  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await text(request));
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const isRight =
      grant !== undefined &&
      request.headers.authorization === undefined &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('client_id') === CLIENT_ID &&
      form.get('redirect_uri') === grant.redirectUri &&
      toChallenge(form.get('code_verifier') ?? '') === grant.challenge;
    exchanges.push(isRight ? 'exchanged' : 'refused');
    response.setHeader('access-control-allow-origin', findOrigin());
    if (!isRight) return sendJson(response, 400, { error: 'invalid_grant' });
    sendJson(response, 200, {
      token_type: 'Bearer',
      expires_in: conduct.lifetimeSeconds,
      access_token: await sign({ aud: AUDIENCE, tenant, roles: ['reader'], name: 'Anna' }, conduct.tokenType),
      id_token: await sign({ aud: CLIENT_ID, nonce: conduct.toNonce(grant.nonce) }, 'JWT'),
    });
  };

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const isRight = isRequest(query, findOrigin());
    response.writeHead(isRight ? 200 : 400, { 'content-type': 'text/html; charset=utf-8' });
    response.end(isRight ? toPage(query) : 'not a request of the client');
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://issuer');
    if (!conduct.isUp) response.writeHead(503).end();
    else if (pathname === '/.well-known/openid-configuration')
      sendJson(response, 200, {
        issuer: url,
        jwks_uri: `${url}/keys`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        id_token_signing_alg_values_supported: ['ES256'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
    else if (pathname === '/keys') sendJson(response, 200, { keys: [jwk] });
    else if (pathname === '/authorize') authorize(searchParams, response);
    else if (pathname === '/decide') decide(searchParams, response);
    else if (pathname === '/token' && request.method === 'POST') await exchange(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    settings: toSettings(url, tenant),
    conduct,
    exchanges,
    reset: () => Object.assign(conduct, RIGHT),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
