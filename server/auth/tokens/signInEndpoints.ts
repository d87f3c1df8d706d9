// Where browsers sign in with an issuer, from its discovery document: its pages, and the endpoint where a code is
// exchanged for a token.
import { DISCOVERY_TIMEOUT_MS, fetchDiscovery, toIssuerUrl } from './discovery.ts';

/** The members of a discovery document that a browser needs. */
export interface SignInEndpoints {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  /** Whether the issuer names itself in its answers (RFC 9207). */
  readonly authorization_response_iss_parameter_supported: boolean;
  /** Algorithms of its ID tokens; never `none`. */
  readonly id_token_signing_alg_values_supported: readonly string[];
}

/** Anything else in a host could end the directive of a content security policy. */
const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+$/;

const readEndpoint = (document: Record<string, unknown>, name: string, issuer: string): string => {
  const url = toIssuerUrl(document[name], name, issuer);
  if (!ORIGIN.test(url.origin)) throw new Error(`${name} of ${issuer} has an unusual host`);
  if (url.hash !== '') throw new Error(`${name} of ${issuer} has a fragment`);
  return url.href;
};

// An issuer that lists no methods may know S256 all the same.
const assertS256 = ({ code_challenge_methods_supported: methods }: Record<string, unknown>, issuer: string): void => {
  if (methods === undefined || (Array.isArray(methods) && methods.includes('S256'))) return;
  throw new Error(`${issuer} has no PKCE with S256 (code_challenge_methods_supported)`);
};

// RS256 is what every issuer has (OpenID Connect Discovery section 3).
const readAlgorithms = ({ id_token_signing_alg_values_supported: given }: Record<string, unknown>): string[] => {
  const names = Array.isArray(given) ? given : ['RS256'];
  return names.filter((name) => typeof name === 'string' && name !== 'none');
};

/**
 * Fetches the endpoints of an issuer.
 * @throws Error when that fails or takes over 5 s, or an endpoint is missing or isn't trusted.
 */
export const fetchSignInEndpoints = async (issuer: string): Promise<SignInEndpoints> => {
  const document = await fetchDiscovery(issuer, AbortSignal.timeout(DISCOVERY_TIMEOUT_MS));
  assertS256(document, issuer);
  return {
    authorization_endpoint: readEndpoint(document, 'authorization_endpoint', issuer),
    token_endpoint: readEndpoint(document, 'token_endpoint', issuer),
    authorization_response_iss_parameter_supported: document.authorization_response_iss_parameter_supported === true,
    id_token_signing_alg_values_supported: readAlgorithms(document),
  };
};
