// Fetches an issuer's keys: the discovery document, then the JWK set (OpenID Connect Discovery 1.0, RFC 8414). Every
// URL derives from the configured issuer, none from a token.
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { isJsonObject } from '../../../ledger/records/attributes.ts';
import { fetchJson } from './fetchJson.ts';
import { isLoopback, isTrustedUrl } from './oidcSettings.ts';

/** Finds the key that a JWS header names. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

const TIMEOUT_MS = 5_000;

const toDiscoveryUrl = (issuer: string): URL =>
  new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);

/** The URL of an issuer's keys. @throws Error when it isn't trusted, or when a remote issuer points to this machine. */
export const toKeysUrl = (uri: unknown, issuer: string): URL => {
  const url = typeof uri === 'string' ? URL.parse(uri) : null;
  if (url === null || !isTrustedUrl(url)) throw new Error(`jwks_uri of ${issuer} is no https URL`);
  if (isLoopback(url) && !isLoopback(new URL(issuer))) throw new Error(`jwks_uri of ${issuer} is on this machine`);
  return url;
};

/**
 * Fetches the keys that an issuer currently publishes.
 * @throws Error when that fails or takes over 5 s, or the keys are malformed.
 */
export const fetchKeySet = async (issuer: string): Promise<KeySet> => {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const discovery = await fetchJson(toDiscoveryUrl(issuer), signal);
  if (!isJsonObject(discovery) || discovery.issuer !== issuer) {
    throw new Error(`the discovery document of ${issuer} names another issuer`);
  }
  const keys = await fetchJson(toKeysUrl(discovery.jwks_uri, issuer), signal);
  return createLocalJWKSet(keys as unknown as JSONWebKeySet);
};
