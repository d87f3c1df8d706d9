// The keys of one issuer, kept for a while. jose's own remote set has no clock to pass in, forgets its keys while the issuer is away, asks
// a broken issuer at every request, and lets a planned fetch keep a new key out; its choice and import of a key are used as they are.
// Never more than one fetch at a time, and for keys that aren't there never more than one in ASK_AGAIN_MS, whatever the tokens say.
import { errors, type JWSHeaderParameters } from 'jose';
import { LedgerError } from '../../../ledger/errors.ts';
import type { KeySet } from './fetchKeySet.ts';

type Key = Awaited<ReturnType<KeySet>>;

/** How long fetched keys are used unasked: a key that was taken back is good for this much longer. */
export const KEYS_FRESH_MS = 300_000;
/** How long they are used when the issuer doesn't answer. */
export const KEYS_USABLE_MS = 3_600_000;
/** Time between two fetches for unknown keys, and from a failed fetch to the next. */
export const ASK_AGAIN_MS = 10_000;

export interface IssuerKeysDeps {
  readonly issuer: string;
  readonly clockToleranceSeconds: number;
  readonly fetchKeySet: (issuer: string) => Promise<KeySet>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProblem: (message: string, cause: unknown) => void;
}

export interface IssuerKeys {
  /**
   * The key that a header names. Rejects with UNAUTHENTICATED when the issuer hasn't published it, with ISSUER_UNAVAILABLE when that can't
   * be told: the issuer doesn't answer, or was asked a moment ago and the token may be newer than its answer.
   */
  find(header: JWSHeaderParameters, issuedAtSeconds: number): Promise<Key>;
  /** Until when what was verified with the keys may be taken for good, in milliseconds since the epoch. */
  freshUntilMs(): number;
}

interface Held {
  readonly keys: KeySet;
  /** Which fetch brought them. */
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

// Fetches one at a time; whoever wants one while it runs waits for it.
const createFetches = ({ issuer, fetchKeySet, now, onProblem }: IssuerKeysDeps) => {
  const state = { begun: 0, failedAtMs: -Infinity, held: undefined as Held | undefined };
  let running: Promise<void> | undefined;
  const fetchOnce = async (): Promise<void> => {
    state.begun += 1;
    const begun = { fetch: state.begun, fetchedAtMs: now() };
    try {
      state.held = { keys: await fetchKeySet(issuer), ...begun };
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

export const createIssuerKeys = (deps: IssuerKeysDeps): IssuerKeys => {
  const { issuer, clockToleranceSeconds, now } = deps;
  const { state, refresh, running } = createFetches(deps);
  let askedAtMs = -Infinity;

  // A time to come is none: the clock was set back.
  const isWithin = (sinceMs: number, spanMs: number): boolean => now() >= sinceMs && now() - sinceMs < spanMs;
  const isAge = (spanMs: number): boolean => state.held !== undefined && isWithin(state.held.fetchedAtMs, spanMs);
  const hasFailed = (): boolean => isWithin(state.failedAtMs, ASK_AGAIN_MS);

  const readHeld = async (): Promise<Held> => {
    if (!isAge(KEYS_FRESH_MS) && !hasFailed()) await refresh();
    if (state.held !== undefined && isAge(KEYS_USABLE_MS)) return state.held;
    throw new LedgerError('ISSUER_UNAVAILABLE', { message: `the keys of ${issuer} can't be fetched` });
  };

  // Whether there may be newer keys than before.
  const awaitNewer = async (): Promise<boolean> => {
    const isRunning = running() !== undefined;
    if (!isRunning && (hasFailed() || isWithin(askedAtMs, ASK_AGAIN_MS))) return false;
    if (!isRunning) askedAtMs = now();
    await refresh();
    return true;
  };

  const refuse = (held: Held, seen: number, issuedAtSeconds: number): LedgerError => {
    const isOlder = (issuedAtSeconds + clockToleranceSeconds) * 1000 < held.fetchedAtMs;
    return new LedgerError(held.fetch > seen || isOlder ? 'UNAUTHENTICATED' : 'ISSUER_UNAVAILABLE');
  };

  return {
    find: async (header, issuedAtSeconds) => {
      // A fetch that begins from now on has every key that a token of now can be signed with.
      const seen = state.begun;
      for (;;) {
        const held = await readHeld();
        const key = await findIn(held, header);
        if (key !== undefined) return key;
        if (held.fetch > seen || !(await awaitNewer())) throw refuse(held, seen, issuedAtSeconds);
      }
    },
    freshUntilMs: () => (state.held === undefined ? -Infinity : state.held.fetchedAtMs + KEYS_FRESH_MS),
  };
};
