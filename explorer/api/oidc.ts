// Signs in with an OpenID Connect issuer: the authorization code flow with PKCE (RFC 6749, RFC 7636, RFC 9700), as a
// public client. Between the two halves the browser is at the issuer; what the second one needs is in sessionStorage,
// and is used once.
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  ResponseBodyError,
  validateAuthResponse,
} from 'oauth4webapi';
import { toQuotation } from '../text/quotation.ts';
import type { IssuerEndpoints, ShownIssuer } from './config.ts';
import { SignInError } from './signInError.ts';

const KEY = 'provenance-ledger-sign-in';
/** Longest time at the issuer. */
const PENDING_MS_MAX = 600_000;
const EXCHANGE_TIMEOUT_MS = 15_000;

/** What the second half needs of the first. */
interface Pending {
  readonly issuer: string;
  readonly client_id: string;
  readonly endpoints: IssuerEndpoints;
  readonly state: string;
  /** Undefined where no ID token is requested. */
  readonly nonce: string | undefined;
  readonly verifier: string;
  /** The address to go back to. */
  readonly to: string;
  readonly begunMs: number;
}

const toRedirectUri = (): string => `${location.origin}/sign-in`;

/** Goes to the issuer's page. `to`: the address to come back to. */
export const beginSignIn = async (
  { issuer, client_id, scope }: ShownIssuer,
  endpoints: IssuerEndpoints,
  to: string,
): Promise<void> => {
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  // Without `openid` there is no ID token that could repeat it.
  const nonce = scope.split(' ').includes('openid') ? generateRandomNonce() : undefined;
  const pending: Pending = { issuer, client_id, endpoints, state, nonce, verifier, to, begunMs: Date.now() };
  const parameters = {
    client_id,
    redirect_uri: toRedirectUri(),
    response_type: 'code',
    scope,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(nonce === undefined ? {} : { nonce }),
  };
  const url = new URL(endpoints.authorization_endpoint);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  location.assign(url);
};

const takePending = (): Pending => {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (text === null) throw new SignInError('This tab has no sign-in that waits for an answer. Sign in again.');
  const pending = JSON.parse(text) as Pending;
  const agedMs = Date.now() - pending.begunMs;
  if (agedMs < 0 || agedMs > PENDING_MS_MAX)
    throw new SignInError('The sign-in took longer than ten minutes, so it has expired. Sign in again.');
  return pending;
};

const describe = (error: string, description: string | undefined): string =>
  toQuotation(description === undefined ? error : `${error} (${description})`);

const toRefusal = (cause: unknown, issuer: string): SignInError => {
  if (cause instanceof AuthorizationResponseError) {
    const said = describe(cause.error, cause.error_description);
    return cause.error === 'access_denied'
      ? new SignInError(`The sign-in was declined at ${issuer}: ${said}. Sign in again, or as somebody else.`)
      : new SignInError(`${issuer} refuses the sign-in: ${said}. Sign in again; if that fails, tell the operator.`);
  }
  if (cause instanceof ResponseBodyError) {
    const said = describe(cause.error, cause.error_description);
    return new SignInError(`${issuer} gives no token: ${said}. Sign in again; if that fails, tell the operator.`);
  }
  return new SignInError(
    `The answer doesn’t belong to the sign-in of this tab, or isn’t as OpenID Connect requires it: ${(cause as Error).message}. Sign in again.`,
    { cause },
  );
};

// The library accepts http only where it is allowed to. The server has checked that http stays on this machine.
const toOptions = (endpoint: string) => ({
  signal: AbortSignal.timeout(EXCHANGE_TIMEOUT_MS),
  [allowInsecureRequests]: endpoint.startsWith('http:'),
});

const exchange = async (pending: Pending, answer: URLSearchParams): Promise<string> => {
  const algorithms = [...pending.endpoints.id_token_signing_alg_values_supported];
  const server: AuthorizationServer = {
    ...pending.endpoints,
    issuer: pending.issuer,
    id_token_signing_alg_values_supported: algorithms,
  };
  const client: Client = { client_id: pending.client_id };
  const checked = validateAuthResponse(server, client, answer, pending.state);
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    None(),
    checked,
    toRedirectUri(),
    pending.verifier,
    toOptions(pending.endpoints.token_endpoint),
  ).catch((cause: unknown) => {
    throw new SignInError(
      `The browser can’t reach ${pending.endpoints.token_endpoint}. Check the network, then sign in again; if that fails, the operator must allow ${location.origin} at the issuer (CORS).`,
      { cause },
    );
  });
  const options = pending.nonce === undefined ? {} : { expectedNonce: pending.nonce, requireIdToken: true };
  return (await processAuthorizationCodeResponse(server, client, response, options)).access_token;
};

/** The access token for an issuer's answer, and the address to go back to. Rejects with SignInError. */
export const completeSignIn = async (answer: URLSearchParams): Promise<{ token: string; to: string }> => {
  const pending = takePending();
  try {
    return { token: await exchange(pending, answer), to: pending.to };
  } catch (cause) {
    throw cause instanceof SignInError ? cause : toRefusal(cause, pending.issuer);
  }
};
