// The way from an issuer's name to its keys: discovery document, then JWK set (OpenID Connect Discovery 1.0, RFC 8414). Every address
// follows from the configured issuer, none from a token.
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { isJsonObject } from '../../../ledger/records/attributes.ts';
import { fetchJson } from './fetchJson.ts';
import { isLoopback, isTrustedUrl } from './oidcSettings.ts';

/** Finds the key that a JWS header names. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

const TIMEOUT_MS = 5_000;

const toDiscoveryUrl = (issuer: string): URL =>
  new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);

/** Where an issuer says its keys are. @throws Error when that is not to be trusted: an issuer elsewhere must not send us to this machine. */
export const toKeysUrl = (uri: unknown, issuer: string): URL => {
  const url = typeof uri === 'string' ? URL.parse(uri) : null;
  if (url === null || !isTrustedUrl(url)) throw new Error(`jwks_uri of ${issuer} is no https URL`);
  if (isLoopback(url) && !isLoopback(new URL(issuer))) throw new Error(`jwks_uri of ${issuer} is on this machine`);
  return url;
};

/** The keys that an issuer publishes now. @throws Error when they can't be fetched within 5 s or make no sense. */
export const fetchKeySet = async (issuer: string): Promise<KeySet> => {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const discovery = await fetchJson(toDiscoveryUrl(issuer), signal);
  if (!isJsonObject(discovery) || discovery.issuer !== issuer) {
    throw new Error(`the discovery document of ${issuer} names another issuer`);
  }
  const keys = await fetchJson(toKeysUrl(discovery.jwks_uri, issuer), signal);
  return createLocalJWKSet(keys as unknown as JSONWebKeySet);
};
