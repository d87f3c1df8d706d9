// Nodes of others answer so many requests in a time: one beyond that is asked again after the time that the node names.
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { readBounded } from './readBounded.ts';

/** HTTP status of a request beyond a limit. */
export const TOO_MANY_REQUESTS = 429;

const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 60_000;
const WORDS_BYTES_MAX = 65_536;
const WORDS_MAX = 200;

/** A node refused a request because there were too many. The message has the node's own words. */
export class RateLimited extends Error {
  /** How long the node asks to wait; undefined if it doesn't say. */
  readonly retryAfterMs: number | undefined;

  constructor(words: string, retryAfterMs: number | undefined) {
    super(words === '' ? 'HTTP 429, too many requests' : `HTTP 429, too many requests: ${words}`);
    this.retryAfterMs = retryAfterMs;
  }
}

// The message of a JSON-RPC error, or the text itself.
const toWords = (text: string): string => {
  try {
    const answer: unknown = JSON.parse(text);
    const error = isJsonObject(answer) && isJsonObject(answer.error) ? answer.error : answer;
    if (isJsonObject(error) && typeof error.message === 'string') return error.message.slice(0, WORDS_MAX);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return text.trim().slice(0, WORDS_MAX);
};

// Seconds, or a time (RFC 9110 section 10.2.3).
const toRetryAfterMs = (text: string | null): number | undefined => {
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
};

/** The refusal of a response with status 429. */
export const readRateLimit = async (response: Response): Promise<RateLimited> => {
  const body = await readBounded(response, WORDS_BYTES_MAX);
  return new RateLimited(toWords(body?.toString() ?? ''), toRetryAfterMs(response.headers.get('retry-after')));
};

/** How long requests wait for a node with a limit. */
export interface RateWait {
  /** Milliseconds that one request waits at most. */
  readonly waitMsMax: number;
  /** Called with the refusal and the time until the next attempt, once a minute while the node refuses. */
  readonly onWait: (refusal: RateLimited, pauseMs: number) => void;
}

/**
 * Returns a function that runs a task, again while the node refuses it as one too many, for at most `waitMsMax`, and
 * not when the node names a longer time. All tasks wait while one does: more would only be refused as well.
 */
export const createRatePauses = ({ waitMsMax, onWait }: RateWait, ending: AbortSignal | undefined) => {
  let untilMs = Number.NEGATIVE_INFINITY;
  let pausedAtMs = Number.NEGATIVE_INFINITY;
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  let refusals = 0;
  let newest: RateLimited | undefined;
  // A node may name a time of days, and have room much sooner.
  const toPauseMs = ({ retryAfterMs }: RateLimited): number =>
    Math.min(Math.max(PAUSE_MS_MIN, retryAfterMs ?? PAUSE_MS_MIN * 2 ** refusals), PAUSE_MS_MAX);
  // The other requests of a burst, which began before the pause, are refused for the same reason.
  const note = (refusal: RateLimited, beganMs: number): void => {
    newest = refusal;
    if (beganMs <= pausedAtMs) return;
    const pauseMs = toPauseMs(refusal);
    const nowMs = performance.now();
    if (nowMs - reportedAtMs > PAUSE_MS_MAX) {
      reportedAtMs = nowMs;
      onWait(refusal, pauseMs);
    }
    refusals += 1;
    pausedAtMs = nowMs;
    untilMs = pausedAtMs + pauseMs;
  };
  const wait = async (lastMs: number): Promise<void> => {
    for (let restMs = untilMs - performance.now(); restMs > 0; restMs = untilMs - performance.now()) {
      if (untilMs > lastMs) throw newest!;
      await sleep(restMs, undefined, ending && { signal: ending });
    }
  };
  return async <T>(task: () => Promise<T>): Promise<T> => {
    const lastMs = performance.now() + waitMsMax;
    for (;;) {
      await wait(lastMs);
      const beganMs = performance.now();
      try {
        const result = await task();
        refusals = 0;
        return result;
      } catch (error) {
        if (!(error instanceof RateLimited)) throw error;
        note(error, beganMs);
        if ((error.retryAfterMs ?? 0) > waitMsMax) throw error;
      }
    }
  };
};
