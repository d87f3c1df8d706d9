// The application over HTTP with configured issuers, and one clock that the tests advance.
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { OidcIssuerSettings } from '../../../server/auth/tokens/oidcSettings.ts';
import { createTokenAuthority } from '../../../server/auth/tokens/tokenAuthority.ts';
import type { OidcIssuer } from '../../support/startOidcIssuer.ts';
import { AUDIENCE, ISSUER, type ServerAnswer, startTestServer, type TestServer } from './testServer.ts';

const OIDC_AUDIENCE = 'https://ledger.example';

/** The default settings of an issuer whose tokens are valid for every tenant. */
export const toSettings = (issuer: string, changes: Partial<OidcIssuerSettings> = {}): OidcIssuerSettings => ({
  issuer,
  audiences: [OIDC_AUDIENCE],
  algorithms: ['ES256', 'RS256'],
  tokenTypes: ['at+jwt'],
  clockToleranceSeconds: 30,
  lifetimeSecondsMax: 86_400,
  tenants: 'every',
  tenantClaim: ['tenant'],
  rolesClaim: ['roles'],
  roleMap: undefined,
  ...changes,
});

export interface OidcServer extends TestServer {
  readonly clock: { atMs: number };
  readonly problems: string[];
  /** The key that signs the server's own tokens. */
  readonly privateKeyJwk: JWK;
  /** Sends a GET request with this token. */
  get(token: string, path?: string): Promise<ServerAnswer>;
}

/** Claims of the issuer's access token for a reader of the tenant, valid for an hour. */
export const toClaims = (issuer: string, server: OidcServer, changes: Record<string, unknown> = {}) => {
  const iat = Math.floor(server.clock.atMs / 1000);
  const claims = {
    iss: issuer,
    aud: OIDC_AUDIENCE,
    sub: 'alice',
    iat,
    exp: iat + 3600,
    tenant: server.tenant.identity,
  };
  return { ...claims, roles: ['reader'], name: 'Alice', ...changes };
};

const toPart = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token that the issuer signs; undefined members are omitted. */
export const signToken = async (
  issuer: OidcIssuer,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> => {
  const { kid, alg } = await issuer.publicJwk();
  const text = `${toPart({ alg, typ: 'at+jwt', kid, ...header })}.${toPart(claims)}`;
  return `${text}.${await issuer.sign(text, kid)}`;
};

export const startOidcServer = async (issuers: readonly OidcIssuerSettings[]): Promise<OidcServer> => {
  const clock = { atMs: Date.parse('2026-11-20T10:15:30.123Z') };
  const problems: string[] = [];
  const privateKeyJwk = await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey);
  const now = () => clock.atMs;
  const newUuid = () => randomUUID();
  const onProblem = (message: string) => problems.push(message);
  const own = { privateKeyJwk, issuer: ISSUER, audience: AUDIENCE, now, newUuid };
  const server = await startTestServer({ now, tokens: await createTokenAuthority({ ...own, issuers, onProblem }) });
  const get = (token: string, path = '/svc/v2/locations') =>
    server.request('GET', path, { as: null, headers: { authorization: `Bearer ${token}` } });
  return { ...server, clock, problems, privateKeyJwk, get };
};
