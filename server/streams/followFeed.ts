// The messages of one event stream. It ends without an error when its caller may no longer read it: the answer to the
// next request says why.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedEvent, FeedPage } from '../../indexer/feedView.ts';
import { isReported } from '../http/problems.ts';
import type { StreamLimits } from '../limits.ts';
import type { AuthorizedCaller } from '../openapi/handlers.ts';
import type { MessageIds } from './messageIds.ts';
import { createPulse } from './pulse.ts';

type Position = FeedPage['next'];

/** What a stream is made of. */
export interface FeedSource {
  /** The caller as it is now. Rejects when it may no longer read the stream. */
  readonly authorize: () => Promise<AuthorizedCaller>;
  /** Reads the next events that the caller may see. */
  readonly read: (caller: AuthorizedCaller, from: Position) => Promise<FeedPage>;
  /** Reads a page in a turn of the caller's tenant. */
  readonly runInTurn: <T>(task: () => Promise<T>) => Promise<T>;
  /** Calls a function after each change of the index. Returns the function that ends this. */
  readonly watch: (onChange: () => void) => () => void;
  readonly ids: MessageIds;
  readonly from: Position;
  readonly limits: StreamLimits;
  /** Aborts when the answer is sent, or its client is gone. */
  readonly closed: AbortSignal;
  readonly stopping: AbortSignal | undefined;
  /** Aborts when another tenant gets the slot of this stream. */
  readonly displaced: AbortSignal;
  readonly onUnexpectedError: (error: unknown) => void;
}

/** The messages, and a signal that aborts when the connection is to be closed without waiting for its client. */
export interface FollowedFeed {
  readonly messages: AsyncGenerator<string>;
  readonly cut: AbortSignal;
}

/** How long a client waits before it connects again. */
const RETRY_MS = 1_000;

const toText = (json: Uint8Array): string => Buffer.from(json.buffer, json.byteOffset, json.length).toString();

// An id without data is remembered by clients, and shown to nobody.
const createTexts = ({ ids }: Pick<FeedSource, 'ids'>) => ({
  opening: (next: Position): string => `retry: ${RETRY_MS}\nid: ${ids.encode(next)}\n\n`,
  heartbeat: (next: Position): string => `: heartbeat\nid: ${ids.encode(next)}\n\n`,
  events: (events: readonly FeedEvent[]): string =>
    events.map(({ json, next }) => `id: ${ids.encode(next)}\ndata: ${toText(json)}\n\n`).join(''),
});

interface NextMessages extends Omit<FeedPage, 'events'> {
  readonly text: string;
}

// A turn doesn't wait for an issuer of tokens, so the caller is authorized before it.
const readInTurn = async (
  { authorize, read, runInTurn }: FeedSource,
  { encode, isEnded }: { encode: (events: readonly FeedEvent[]) => string; isEnded: () => boolean },
  from: Position,
): Promise<NextMessages | undefined> => {
  const caller = await authorize();
  return runInTurn(async () => {
    if (isEnded()) return undefined;
    const { events, ...page } = await read(caller, from);
    return { ...page, text: encode(events) };
  });
};

/** Follows a feed until its end; the watch and the timers end when `closed` aborts. */
export const followFeed = (source: FeedSource): FollowedFeed => {
  const { authorize, limits, closed, stopping, displaced, onUnexpectedError } = source;
  const texts = createTexts(source);
  const pulse = createPulse();
  const cutting = new AbortController();
  let isEnded = false;
  let isChecking = false;
  // When the client was given a message that it hasn't read yet.
  let givenAtMs: number | undefined;

  const end = (): void => {
    isEnded = true;
    pulse.ring();
    if (givenAtMs !== undefined) cutting.abort();
  };
  const fail = (error: unknown): void => {
    if (isReported(error)) onUnexpectedError(error);
    end();
  };
  const isUnread = (): boolean => givenAtMs !== undefined && performance.now() - givenAtMs >= limits.unreadMs;
  const check = async (): Promise<void> => {
    // A check that lasts longer than the interval proves nothing in time.
    if (isChecking || isUnread()) return end();
    isChecking = true;
    await authorize().catch(fail);
    isChecking = false;
  };

  const checks = setInterval(check, limits.checkMs);
  const unwatch = source.watch(pulse.ring);
  for (const ending of [stopping, displaced]) ending?.addEventListener('abort', end, { signal: closed });
  closed.addEventListener('abort', () => {
    clearInterval(checks);
    unwatch();
    end();
  });

  async function* give(text: string): AsyncGenerator<string> {
    givenAtMs = performance.now();
    yield text;
    givenAtMs = undefined;
  }

  const readNext = async (from: Position): Promise<NextMessages | undefined> => {
    try {
      return await readInTurn(source, { encode: texts.events, isEnded: () => isEnded }, from);
    } catch (error) {
      fail(error);
      return undefined;
    }
  };

  async function* follow(): AsyncGenerator<string> {
    let next = source.from;
    yield* give(texts.opening(next));
    while (!isEnded) {
      const page = await readNext(next);
      if (page === undefined || isEnded) return;
      next = page.next;
      if (page.text !== '') yield* give(page.text);
      if (!page.isComplete) continue;
      if (!(await pulse.wait(limits.heartbeatMs))) yield* give(texts.heartbeat(next));
      else if (!isEnded) await sleep(limits.gatherMs);
    }
  }

  return { messages: follow(), cut: cutting.signal };
};
