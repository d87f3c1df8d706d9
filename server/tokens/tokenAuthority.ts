// Issues this server's tokens and recognises them: ES256 JWTs of one hour, hardened as RFC 8725 says. Anything that isn't exactly
// such a token is UNAUTHENTICATED, with the reason only in the error's cause.
import { calculateJwkThumbprint, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LedgerError } from '../../ledger/errors.ts';
import type { components } from '../api.gen.ts';
import { CALLER_ROLES, type CallerRole } from '../rights.ts';

/** What a token says of its bearer. */
export interface TokenContent {
  readonly tenantIdentity: string;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly roles: readonly CallerRole[];
  /** Set for an application, not for a root principal. */
  readonly clientId: string | undefined;
}

export type TokenSubject = Omit<TokenContent, 'issuer'>;

export interface TokenAuthority {
  /** `iss` of the tokens, and the issuer of the principals that they name. */
  readonly issuer: string;
  issue(subject: TokenSubject): Promise<{ token: string; expiresInSeconds: number }>;
  /** Rejects with UNAUTHENTICATED. */
  verify(token: string): Promise<TokenContent>;
  /** The public keys that recognise the tokens. */
  jwks(): components['schemas']['JsonWebKeySet'];
}

export interface TokenAuthorityDeps {
  /** Private P-256 key. */
  readonly privateKeyJwk: JWK;
  readonly issuer: string;
  readonly audience: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newUuid: () => string;
}

const ALGORITHM = 'ES256';
/** RFC 9068: an access token, so that no other kind of JWT of the same key passes for one. */
const TYPE = 'at+jwt';
export const TOKEN_LIFETIME_SECONDS = 3600;
const VERIFIED_TOKENS_MAX = 10_000;
const TENANT_IDENTITY = /^tenant\/[0-9a-f-]{36}$/;

const toSeconds = (atMs: number): number => Math.floor(atMs / 1000);
const isText = (value: unknown): value is string => typeof value === 'string';
const isRoles = (value: unknown): value is CallerRole[] =>
  Array.isArray(value) && value.every((role) => (CALLER_ROLES as readonly unknown[]).includes(role));

const toContent = (claims: JWTPayload): TokenContent => {
  const { iss, sub, tenant, roles, name, client_id: clientId } = claims;
  const isWhole = isText(iss) && isText(sub) && isText(name) && isText(tenant) && TENANT_IDENTITY.test(tenant);
  if (!isWhole || !isRoles(roles) || !(clientId === undefined || isText(clientId))) {
    throw new LedgerError('UNAUTHENTICATED');
  }
  return { tenantIdentity: tenant, issuer: iss, subject: sub, name, roles, clientId };
};

interface Verified {
  readonly content: TokenContent;
  readonly expiresAtMs: number;
}

/** Verified tokens until they expire, because an ES256 verification costs more than the rest of a request. */
const createVerifiedTokens = (now: () => number) => {
  const verified = new Map<string, Verified>();
  return {
    find: (token: string): TokenContent | undefined => {
      const found = verified.get(token);
      if (found === undefined || now() < found.expiresAtMs) return found?.content;
      verified.delete(token);
      return undefined;
    },
    keep: (token: string, entry: Verified): void => {
      const oldest = verified.keys().next().value;
      if (verified.size >= VERIFIED_TOKENS_MAX && oldest !== undefined) verified.delete(oldest);
      verified.set(token, entry);
    },
  };
};

const toPublicJwk = async ({ kty, crv, x, y }: JWK): Promise<components['schemas']['JsonWebKey']> => {
  if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined) throw new TypeError('not a P-256 key');
  const key = { kty: 'EC', crv: 'P-256', x, y } as const;
  return { ...key, kid: await calculateJwkThumbprint(key), alg: ALGORITHM, use: 'sig' };
};

const importKeys = async (privateKeyJwk: JWK) => {
  const publicJwk = await toPublicJwk(privateKeyJwk);
  const privateKey = await importJWK(privateKeyJwk, ALGORITHM);
  const publicKey = await importJWK(publicJwk, ALGORITHM);
  return { publicJwk, privateKey, publicKey };
};

type Keys = Awaited<ReturnType<typeof importKeys>>;

const createIssue =
  ({ publicJwk, privateKey }: Keys, { issuer, audience, now, newUuid }: TokenAuthorityDeps): TokenAuthority['issue'] =>
  async ({ tenantIdentity, subject, name, roles, clientId }) => {
    const issuedAtSeconds = toSeconds(now());
    const claims = { tenant: tenantIdentity, roles, name, ...(clientId === undefined ? {} : { client_id: clientId }) };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: publicJwk.kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt(issuedAtSeconds)
      .setExpirationTime(issuedAtSeconds + TOKEN_LIFETIME_SECONDS)
      .setJti(newUuid())
      .sign(privateKey);
    return { token, expiresInSeconds: TOKEN_LIFETIME_SECONDS };
  };

const createVerify = ({ publicKey }: Keys, { issuer, audience, now }: TokenAuthorityDeps) => {
  const options = {
    algorithms: [ALGORITHM],
    typ: TYPE,
    issuer,
    audience,
    requiredClaims: ['sub', 'iat', 'exp', 'jti', 'tenant', 'roles', 'name'],
    maxTokenAge: TOKEN_LIFETIME_SECONDS,
  };
  return async (token: string): Promise<Verified> => {
    try {
      const { payload } = await jwtVerify(token, publicKey, { ...options, currentDate: new Date(now()) });
      return { content: toContent(payload), expiresAtMs: payload.exp! * 1000 };
    } catch (cause) {
      throw new LedgerError('UNAUTHENTICATED', { cause });
    }
  };
};

/** @throws TypeError when the key is not a private P-256 key. */
export const createTokenAuthority = async (deps: TokenAuthorityDeps): Promise<TokenAuthority> => {
  const keys = await importKeys(deps.privateKeyJwk);
  const verifySignature = createVerify(keys, deps);
  const verifiedTokens = createVerifiedTokens(deps.now);
  return {
    issuer: deps.issuer,
    issue: createIssue(keys, deps),
    verify: async (token) => {
      const known = verifiedTokens.find(token);
      if (known !== undefined) return known;
      const verified = await verifySignature(token);
      verifiedTokens.keep(token, verified);
      return verified.content;
    },
    jwks: () => ({ keys: [keys.publicJwk] }),
  };
};
