// Fetches an issuer's discovery document (OpenID Connect Discovery 1.0, RFC 8414). Every URL derives from the
// configured issuer, none from a token.
import { isLoopback } from '../../../ledger/loopback.ts';
import { isJsonObject } from '../../../ledger/records/attributes.ts';
import { fetchJson } from './fetchJson.ts';
import { isTrustedUrl } from './oidcSettings.ts';

/** How long an issuer may take for its documents. */
export const DISCOVERY_TIMEOUT_MS = 5_000;

const toDiscoveryUrl = (issuer: string): URL =>
  new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);

/** Fetches the document of an issuer. @throws Error when that fails, or when it names another issuer. */
export const fetchDiscovery = async (issuer: string, signal: AbortSignal): Promise<Record<string, unknown>> => {
  const document = await fetchJson(toDiscoveryUrl(issuer), signal);
  if (!isJsonObject(document) || document.issuer !== issuer) {
    throw new Error(`the discovery document of ${issuer} names another issuer`);
  }
  return document;
};

/**
 * A URL of the document, whose member has this name.
 * @throws Error when it isn't trusted, or when a remote issuer points to this machine.
 */
export const toIssuerUrl = (uri: unknown, name: string, issuer: string): URL => {
  const url = typeof uri === 'string' ? URL.parse(uri) : null;
  if (url === null || !isTrustedUrl(url)) throw new Error(`${name} of ${issuer} is no https URL`);
  if (isLoopback(url) && !isLoopback(new URL(issuer))) throw new Error(`${name} of ${issuer} is on this machine`);
  return url;
};
