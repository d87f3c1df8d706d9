// What an operator says of an issuer whose tokens are taken (OpenID Connect Discovery 1.0, RFC 9068). host/settings/oidcIssuers.ts reads it.
import type { Role } from '../../../ledger/records/application.ts';

/** Signatures that nobody but the issuer can make: no HMAC, no `none`. */
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

/** `at+jwt` says that a token is an access token; `jwt` (also: nothing) says nothing. */
export const TOKEN_TYPES = ['at+jwt', 'jwt'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

export interface OidcIssuerSettings {
  /** `iss` of its tokens and the beginning of its discovery document's address: a URL for which `isTrustedUrl` holds. */
  readonly issuer: string;
  /** A token has to be meant for one of these. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly AsymmetricAlgorithm[];
  readonly tokenTypes: readonly TokenType[];
  /** By how much the issuer's clock and ours may differ. */
  readonly clockToleranceSeconds: number;
  /** How old a token may become, whatever its `exp`. */
  readonly lifetimeSecondsMax: number;
  /** Identities of the tenants that the issuer may speak for. */
  readonly tenants: readonly string[] | 'every';
  /** Path of names to the claim that says the tenant. */
  readonly tenantClaim: readonly string[];
  /** Path of names to the claim that says the roles. */
  readonly rolesClaim: readonly string[];
  /** Our roles by the issuer's; undefined: they have the same names. */
  readonly roleMap: ReadonlyMap<string, readonly Role[]> | undefined;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);

/** Whether what comes from there comes from there: TLS, or the same machine; without credentials in the address. */
export const isTrustedUrl = (url: URL): boolean =>
  (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) &&
  url.username === '' &&
  url.password === '';
