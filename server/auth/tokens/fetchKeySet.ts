// Fetches an issuer's keys: the discovery document, then the JWK set.
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { DISCOVERY_TIMEOUT_MS, fetchDiscovery, toIssuerUrl } from './discovery.ts';
import { fetchJson } from './fetchJson.ts';

/** Finds the key that a JWS header names. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

/**
 * Fetches the keys that an issuer currently publishes.
 * @throws Error when that fails or takes over 5 s, or the keys are malformed.
 */
export const fetchKeySet = async (issuer: string): Promise<KeySet> => {
  const signal = AbortSignal.timeout(DISCOVERY_TIMEOUT_MS);
  const { jwks_uri: uri } = await fetchDiscovery(issuer, signal);
  const keys = await fetchJson(toIssuerUrl(uri, 'jwks_uri', issuer), signal);
  return createLocalJWKSet(keys as unknown as JSONWebKeySet);
};
