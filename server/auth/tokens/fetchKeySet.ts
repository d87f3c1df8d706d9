// Fetches an issuer's keys: the discovery document, then the JWK set.
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { DISCOVERY_TIMEOUT_MS, fetchDiscovery, toIssuerUrl } from './discovery.ts';
import { fetchJson } from './fetchJson.ts';

/** Finds the key that a JWS header names. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

const findKeys = async (issuer: string, jwksUri: string | undefined, signal: AbortSignal): Promise<URL> => {
  if (jwksUri !== undefined) return new URL(jwksUri);
  const { jwks_uri: uri } = await fetchDiscovery(issuer, signal);
  return toIssuerUrl(uri, 'jwks_uri', issuer);
};

/**
 * Fetches the keys that an issuer currently publishes: at `jwksUri`, or where its discovery document says.
 * @throws Error when that fails or takes over 5 s, or the keys are malformed.
 */
export const fetchKeySet = async (issuer: string, jwksUri?: string): Promise<KeySet> => {
  const signal = AbortSignal.timeout(DISCOVERY_TIMEOUT_MS);
  const keys = await fetchJson(await findKeys(issuer, jwksUri, signal), signal);
  return createLocalJWKSet(keys as unknown as JSONWebKeySet);
};
