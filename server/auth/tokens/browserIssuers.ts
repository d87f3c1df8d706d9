// The issuers with which browsers sign in. Reading them never waits for an issuer: their endpoints are fetched in the
// background, at first when the server starts, and again when they are read and are old. So an issuer that doesn't
// answer delays no page, and there is at most one fetch at a time for each, and one in RETRY_MS.
import type { OidcIssuerSettings } from './oidcSettings.ts';
import type { SignInEndpoints } from './signInEndpoints.ts';

/** An issuer in /ui/config.json. */
export interface BrowserIssuer {
  readonly issuer: string;
  readonly client_id: string;
  readonly scope: string;
  /** Null while the issuer can't be reached, or can't be used. */
  readonly endpoints: SignInEndpoints | null;
}

/** The issuers for browsers, as they are known now. */
export interface BrowserIssuers {
  /** In the order of the settings. */
  read(): readonly BrowserIssuer[];
  /** The origins that the browser sends codes to, each once. An issuer that no longer answers keeps its origin. */
  tokenOrigins(): readonly string[];
}

/** How long fetched endpoints are used without a new fetch. */
export const ENDPOINTS_FRESH_MS = 300_000;
/** Time from a failed fetch to the next one. */
export const RETRY_MS = 10_000;

export interface BrowserIssuersDeps {
  readonly fetchEndpoints: (issuer: string) => Promise<SignInEndpoints>;
  /** Milliseconds of a clock that isn't set back. */
  readonly nowMs: () => number;
  readonly onProblem: (message: string, cause: unknown) => void;
}

interface EndpointsDeps extends BrowserIssuersDeps {
  readonly isOneOfSeveral: boolean;
}

/** The issuers of a server without any. */
export const NO_BROWSER_ISSUERS: BrowserIssuers = { read: () => [], tokenOrigins: () => [] };

// Where there are several issuers, an answer that doesn't name its issuer could be another one's, whose code the
// browser would then send to this one (mix-up, RFC 9700 section 4.4).
const fetchNamed = async (
  issuer: string,
  { fetchEndpoints, isOneOfSeveral }: EndpointsDeps,
): Promise<SignInEndpoints> => {
  const endpoints = await fetchEndpoints(issuer);
  if (isOneOfSeveral && !endpoints.authorization_response_iss_parameter_supported)
    throw new Error(
      'it does not name itself in its answers (RFC 9207), as each must where several issuers have a browser_client_id',
    );
  return endpoints;
};

const createEndpoints = (issuer: string, deps: EndpointsDeps) => {
  const { nowMs, onProblem } = deps;
  const state = { known: undefined as SignInEndpoints | undefined, isReached: false, dueMs: -Infinity };
  let isRunning = false;
  const fetchOnce = async (): Promise<void> => {
    try {
      state.known = await fetchNamed(issuer, deps);
      state.isReached = true;
      state.dueMs = nowMs() + ENDPOINTS_FRESH_MS;
    } catch (cause) {
      // Reported once, not at every attempt.
      if (state.isReached || state.dueMs === -Infinity) onProblem(`browsers can't sign in with ${issuer}`, cause);
      state.isReached = false;
      state.dueMs = nowMs() + RETRY_MS;
    }
  };
  const refresh = (): void => {
    if (isRunning || nowMs() < state.dueMs) return;
    isRunning = true;
    fetchOnce().finally(() => {
      isRunning = false;
    });
  };
  refresh();
  return { state, refresh };
};

/** The issuers of the settings that have a client for browsers. Begins to fetch their endpoints. */
export const createBrowserIssuers = (
  issuers: readonly Pick<OidcIssuerSettings, 'issuer' | 'browser'>[],
  deps: BrowserIssuersDeps,
): BrowserIssuers => {
  const isOneOfSeveral = issuers.filter(({ browser }) => browser !== undefined).length > 1;
  const all = issuers.flatMap(({ issuer, browser }) =>
    browser === undefined ? [] : [{ issuer, browser, ...createEndpoints(issuer, { ...deps, isOneOfSeveral }) }],
  );
  return {
    read: () =>
      all.map(({ issuer, browser, state, refresh }) => {
        refresh();
        const endpoints = state.isReached ? state.known! : null;
        return { issuer, client_id: browser.clientId, scope: browser.scope, endpoints };
      }),
    tokenOrigins: () => [
      ...new Set(all.flatMap(({ state: { known } }) => (known ? [new URL(known.token_endpoint).origin] : []))),
    ],
  };
};
