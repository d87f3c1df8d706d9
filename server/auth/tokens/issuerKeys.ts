// Caches the keys of one issuer. jose selects and imports a key, but its remote key set isn't used: it accepts no
// clock, drops its keys while the issuer is unavailable, queries a failing issuer at every request, and delays a new
// key by its own fetch interval. There is never more than one fetch at a time, and for unknown and replaced keys never
// more than one in REFETCH_MS, whatever the tokens contain.
import { errors, type JWSHeaderParameters } from 'jose';
import { LedgerError } from '../../../ledger/errors.ts';
import type { KeySet } from './fetchKeySet.ts';

type Key = Awaited<ReturnType<KeySet>>;

/** How long fetched keys are used without a new fetch. A revoked key stays valid for at most this long. */
export const KEYS_FRESH_MS = 300_000;
/** How long fetched keys are used while the issuer doesn't answer. */
export const KEYS_USABLE_MS = 3_600_000;
/** Time between two fetches for unknown or replaced keys, and from a failed fetch to the next one. */
export const REFETCH_MS = 10_000;

export interface IssuerKeysDeps {
  readonly issuer: string;
  readonly clockToleranceSeconds: number;
  /** Where the keys are; undefined: where the discovery document says. */
  readonly jwksUri?: string | undefined;
  readonly fetchKeySet: (issuer: string, jwksUri: string | undefined) => Promise<KeySet>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProblem: (message: string, cause: unknown) => void;
}

/** The keys of one issuer. */
export interface IssuerKeys {
  /**
   * The key that a header names. Rejects with UNAUTHENTICATED when the issuer hasn't published it, and with
   * ISSUER_UNAVAILABLE when that is unknown: the issuer doesn't answer, or the keys were fetched a moment ago and the
   * token may be newer.
   */
  find(header: JWSHeaderParameters, issuedAtSeconds: number): Promise<Key>;
  /**
   * Fetches the keys again, at most once in REFETCH_MS, for a token that isn't signed with the key that it names.
   * Resolves to whether it asked for them. Rejects with ISSUER_UNAVAILABLE when the issuer doesn't answer, and the
   * token may be newer than the keys.
   */
  renew(issuedAtSeconds: number): Promise<boolean>;
  /** How long a token that was verified with the keys counts as verified, in milliseconds since the epoch. */
  freshUntilMs(): number;
}

interface Held {
  readonly keys: KeySet;
  /** Number of the fetch that returned them. */
  readonly fetch: number;
  /** When that fetch began. */
  readonly fetchedAtMs: number;
}

const findIn = async ({ keys }: Held, header: JWSHeaderParameters): Promise<Key | undefined> => {
  try {
    return await keys(header);
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    throw error;
  }
};

// Runs one fetch at a time; requests during a fetch share it.
const createFetches = ({ issuer, jwksUri, fetchKeySet, now, onProblem }: IssuerKeysDeps) => {
  const state = { begun: 0, failedAtMs: -Infinity, held: undefined as Held | undefined };
  let running: Promise<void> | undefined;
  const fetchOnce = async (): Promise<void> => {
    state.begun += 1;
    const begun = { fetch: state.begun, fetchedAtMs: now() };
    try {
      state.held = { keys: await fetchKeySet(issuer, jwksUri), ...begun };
      state.failedAtMs = -Infinity;
    } catch (cause) {
      state.failedAtMs = now();
      onProblem(`the keys of ${issuer} can't be fetched`, cause);
    }
  };
  const refresh = (): Promise<void> => {
    running ??= fetchOnce().finally(() => {
      running = undefined;
    });
    return running;
  };
  return { state, refresh, running: () => running };
};

/** A cache without keys; the first use fetches them. */
export const createIssuerKeys = (deps: IssuerKeysDeps): IssuerKeys => {
  const { issuer, clockToleranceSeconds, now } = deps;
  const { state, refresh, running } = createFetches(deps);
  const unfetched = `the keys of ${issuer} can't be fetched`;
  let requestedAtMs = -Infinity;

  // A time in the future doesn't count: the clock was set back.
  const isWithin = (sinceMs: number, spanMs: number): boolean => now() >= sinceMs && now() - sinceMs < spanMs;
  const isAge = (spanMs: number): boolean => state.held !== undefined && isWithin(state.held.fetchedAtMs, spanMs);
  const hasFailed = (): boolean => isWithin(state.failedAtMs, REFETCH_MS);

  const readHeld = async (): Promise<Held> => {
    if (!isAge(KEYS_FRESH_MS) && !hasFailed()) await refresh();
    if (state.held !== undefined && isAge(KEYS_USABLE_MS)) return state.held;
    throw new LedgerError('ISSUER_UNAVAILABLE', { message: unfetched });
  };

  // Whether there may be newer keys than before.
  const awaitNewer = async (): Promise<boolean> => {
    const isRunning = running() !== undefined;
    if (!isRunning && (hasFailed() || isWithin(requestedAtMs, REFETCH_MS))) return false;
    if (!isRunning) requestedAtMs = now();
    await refresh();
    return true;
  };

  const isOlder = (issuedAtSeconds: number, { fetchedAtMs }: Held): boolean =>
    (issuedAtSeconds + clockToleranceSeconds) * 1000 < fetchedAtMs;

  const refuse = (held: Held, seen: number, issuedAtSeconds: number): LedgerError =>
    new LedgerError(held.fetch > seen || isOlder(issuedAtSeconds, held) ? 'UNAUTHENTICATED' : 'ISSUER_UNAVAILABLE');

  return {
    find: async (header, issuedAtSeconds) => {
      // A fetch that begins after this point returns every key that the token can be signed with.
      const seen = state.begun;
      for (;;) {
        const held = await readHeld();
        const key = await findIn(held, header);
        if (key !== undefined) return key;
        if (held.fetch > seen || !(await awaitNewer())) throw refuse(held, seen, issuedAtSeconds);
      }
    },
    renew: async (issuedAtSeconds) => {
      const isAsked = await awaitNewer();
      const isKnown = state.held !== undefined && (!hasFailed() || isOlder(issuedAtSeconds, state.held));
      if (!isKnown) throw new LedgerError('ISSUER_UNAVAILABLE', { message: unfetched });
      return isAsked;
    },
    freshUntilMs: () => (state.held === undefined ? -Infinity : state.held.fetchedAtMs + KEYS_FRESH_MS),
  };
};
