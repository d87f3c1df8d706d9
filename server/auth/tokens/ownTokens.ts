// Issues and verifies this server's tokens: ES256 JWTs that are valid for one hour, with the type of an access token.
import { calculateJwkThumbprint, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { components } from '../../openapi/api.gen.ts';
import { CALLER_ROLES, type CallerRole } from '../rights.ts';
import type { TokenContent, TokenSubject, VerifiedToken } from './tokenContent.ts';
import { refuseToken, TokenContentError } from './tokenRefusals.ts';
import type { UnverifiedToken } from './unverifiedToken.ts';

/** This server as an issuer of tokens. */
export interface OwnTokens {
  /** `iss` of the tokens, and the issuer of the principals that they name. */
  readonly issuer: string;
  /** Issues a token. */
  issue(subject: TokenSubject): Promise<{ token: string; expiresInSeconds: number }>;
  /** Rejects with UNAUTHENTICATED. */
  verify(token: string, unverified: UnverifiedToken): Promise<VerifiedToken>;
  /** The public keys that verify the tokens. */
  jwks(): components['schemas']['JsonWebKeySet'];
}

export interface OwnTokensDeps {
  /** Private P-256 key that signs. */
  readonly privateKeyJwk: JWK;
  /** P-256 keys of other tokens that are accepted, while the key that signs is being replaced; none unless given. */
  readonly otherKeyJwks?: readonly JWK[];
  readonly issuer: string;
  readonly audience: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newUuid: () => string;
}

const ALGORITHM = 'ES256';
/** The type of access tokens (RFC 9068), so that another kind of JWT with the same key isn't accepted as one. */
const TYPE = 'at+jwt';
/** Lifetime of a token of this server. */
const TOKEN_LIFETIME_SECONDS = 3600;
/** How far the clock may have been set back since a token was issued. Doesn't extend a token's lifetime. */
const CLOCK_TOLERANCE_SECONDS = 30;
const TENANT_IDENTITY = /^tenant\/[0-9a-f-]{36}$/;

const toSeconds = (atMs: number): number => Math.floor(atMs / 1000);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNone = (value: unknown): value is string | undefined => value === undefined || isText(value);
const isRoles = (value: unknown): value is CallerRole[] =>
  Array.isArray(value) && value.every((role) => (CALLER_ROLES as readonly unknown[]).includes(role));

const toContent = (claims: JWTPayload): TokenContent => {
  const { iss, sub, tenant, roles, name, client_id: clientId, secret_id: secretId } = claims;
  const isComplete = isText(iss) && isText(sub) && isText(name) && isText(tenant) && TENANT_IDENTITY.test(tenant);
  if (!isComplete || !isRoles(roles) || !isTextOrNone(clientId) || !isTextOrNone(secretId)) {
    throw new TokenContentError('has a claim in another form');
  }
  return {
    tenantIdentity: tenant,
    issuer: iss,
    subject: sub,
    name,
    email: '',
    roles,
    clientId,
    secretId,
    claims: {},
    isForeign: false,
  };
};

const toPublicJwk = async ({ kty, crv, x, y }: JWK): Promise<components['schemas']['JsonWebKey']> => {
  if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined) throw new TypeError('not a P-256 key');
  const key = { kty: 'EC', crv: 'P-256', x, y } as const;
  return { ...key, kid: await calculateJwkThumbprint(key), alg: ALGORITHM, use: 'sig' };
};

const importPublicKey = async (jwk: JWK) => {
  const publicJwk = await toPublicJwk(jwk);
  return { publicJwk, publicKey: await importJWK(publicJwk, ALGORITHM) };
};

const importKeys = async ({ privateKeyJwk, otherKeyJwks = [] }: OwnTokensDeps) => {
  const accepted = await Promise.all([privateKeyJwk, ...otherKeyJwks].map(importPublicKey));
  return {
    keyId: accepted[0]!.publicJwk.kid,
    privateKey: await importJWK(privateKeyJwk, ALGORITHM),
    publicJwks: accepted.map(({ publicJwk }) => publicJwk),
    publicKeys: new Map(accepted.map(({ publicJwk, publicKey }) => [publicJwk.kid, publicKey])),
  };
};

type Keys = Awaited<ReturnType<typeof importKeys>>;

// The application's custom claims come first, so that they can't replace a claim of this server.
const toClaims = ({ tenantIdentity, name, roles, clientId, secretId, customClaims }: TokenSubject): JWTPayload => ({
  ...Object.fromEntries(Object.entries(customClaims).filter(([claim]) => claim !== 'nbf')),
  tenant: tenantIdentity,
  roles: [...roles],
  name,
  client_id: clientId,
  secret_id: secretId,
});

const createIssue =
  ({ keyId, privateKey }: Keys, { issuer, audience, now, newUuid }: OwnTokensDeps): OwnTokens['issue'] =>
  async (subject) => {
    const issuedAtSeconds = toSeconds(now());
    const token = await new SignJWT(toClaims(subject))
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: keyId })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject.subject)
      .setIssuedAt(issuedAtSeconds)
      .setExpirationTime(issuedAtSeconds + TOKEN_LIFETIME_SECONDS)
      .setJti(newUuid())
      .sign(privateKey);
    return { token, expiresInSeconds: TOKEN_LIFETIME_SECONDS };
  };

// jose applies its tolerance to both ends of a token's lifetime; here only the beginning has one.
const assertCurrent = ({ iat, exp }: JWTPayload, atMs: number): void => {
  const isCurrent = atMs < exp! * 1000 && exp! - iat! <= TOKEN_LIFETIME_SECONDS;
  if (!isCurrent) throw new TokenContentError('has expired, or lives too long');
};

const createVerify = ({ publicKeys }: Keys, { issuer, audience, now }: OwnTokensDeps): OwnTokens['verify'] => {
  const options = {
    algorithms: [ALGORITHM],
    typ: TYPE,
    issuer,
    audience,
    requiredClaims: ['sub', 'iat', 'exp', 'jti', 'tenant', 'roles', 'name'],
    maxTokenAge: TOKEN_LIFETIME_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  };
  return async (token, { keyId }) => {
    try {
      const publicKey = keyId === undefined ? undefined : publicKeys.get(keyId);
      if (publicKey === undefined) throw new TypeError('names another key');
      const atMs = now();
      const { payload } = await jwtVerify(token, publicKey, { ...options, currentDate: new Date(atMs) });
      assertCurrent(payload, atMs);
      return { content: toContent(payload), validUntilMs: payload.exp! * 1000 };
    } catch (cause) {
      throw refuseToken(issuer, cause);
    }
  };
};

/** Imports the keys. @throws TypeError when one is not a P-256 key, or the first is not private. */
export const createOwnTokens = async (deps: OwnTokensDeps): Promise<OwnTokens> => {
  const keys = await importKeys(deps);
  return {
    issuer: deps.issuer,
    issue: createIssue(keys, deps),
    verify: createVerify(keys, deps),
    jwks: () => ({ keys: keys.publicJwks }),
  };
};
