// The settings of a foreign issuer whose tokens are accepted (OpenID Connect Discovery 1.0, RFC 9068).
// host/settings/oidcIssuers.ts reads them.
import { isLoopback } from '../../../ledger/loopback.ts';
import type { Role } from '../../../ledger/records/application.ts';

/** Signature algorithms whose verification key can't sign: no HMAC, no `none`. */
export const ASYMMETRIC_ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
  'Ed25519',
] as const;
export type AsymmetricAlgorithm = (typeof ASYMMETRIC_ALGORITHMS)[number];

/** `at+jwt` marks an access token; `jwt`, or no type, leaves the purpose open. */
export const TOKEN_TYPES = ['at+jwt', 'jwt'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/**
 * Claims that mark ID tokens, and that some issuers put into access tokens of the type `jwt` as well. Not `events`,
 * which marks tokens that are no credentials at all.
 */
export const ALLOWABLE_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash'] as const;
export type AllowableClaim = (typeof ALLOWABLE_CLAIMS)[number];

/** How browsers sign in with an issuer: as a public client, by the authorization code flow with PKCE. */
export interface BrowserClient {
  readonly clientId: string;
  /** The scope that a browser requests: words with spaces between them. */
  readonly scope: string;
}

/** The settings of one foreign issuer. */
export interface OidcIssuerSettings {
  /** `iss` of its tokens, and the beginning of the discovery document's URL. `isTrustedUrl` holds for it. */
  readonly issuer: string;
  /** The accepted audiences, one of which a token must have. */
  readonly audiences: readonly string[];
  /** Names of claims of which the first that a token has contains its audiences; undefined: `aud`. */
  readonly audienceClaims?: readonly string[] | undefined;
  /** Where its keys are; undefined: where its discovery document says. */
  readonly jwksUri?: string | undefined;
  readonly algorithms: readonly AsymmetricAlgorithm[];
  readonly tokenTypes: readonly TokenType[];
  /** Marks of ID tokens that its access tokens may have; undefined: none. */
  readonly allowedClaims?: readonly AllowableClaim[] | undefined;
  /** The largest difference between the issuer's clock and this server's. */
  readonly clockToleranceSeconds: number;
  /** The largest age of a token, whatever its `exp`. */
  readonly lifetimeSecondsMax: number;
  /** Identities of the tenants that its tokens may name. */
  readonly tenants: readonly string[] | 'every';
  /** Identity of the tenant of a token that names none; undefined: each must name one. */
  readonly tenant?: string | undefined;
  /** Path of member names to the claim with the tenant. */
  readonly tenantClaim: readonly string[];
  /** Path of member names to the claim with the roles. */
  readonly rolesClaim: readonly string[];
  /** This server's roles by the issuer's role; undefined: they have the same names. */
  readonly roleMap: ReadonlyMap<string, readonly Role[]> | undefined;
  /** Undefined: browsers can't sign in with it. */
  readonly browser?: BrowserClient | undefined;
}

/**
 * Whether the origin of an answer from this URL is authentic: it uses TLS or the same machine, and contains no
 * credentials.
 */
export const isTrustedUrl = (url: URL): boolean =>
  (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) &&
  url.username === '' &&
  url.password === '';
