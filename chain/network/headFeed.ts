// Announces that there may be a new block, as the nodes that were subscribed to say. It proves nothing: those who are
// woken look at the chain as if the next poll was due.
import { createHeadSubscription, type HeadSubscriptionOptions, type SubscriptionUse } from './headSubscription.ts';

/** Announces new blocks. */
export interface HeadFeed {
  /** Whether a subscription is live. */
  readonly isLive: boolean;
  /** Adds a listener; returns the function that removes it. */
  onHead(listener: () => void): () => void;
  /** The subscriptions, in the order of `urls`. */
  uses(): SubscriptionUse[];
  close(): void;
}

/** Options of a feed. */
export interface HeadFeedOptions extends Pick<HeadSubscriptionOptions, 'timeoutMs' | 'onProblem'> {
  /** URLs of WebSocket. */
  readonly urls: readonly string[];
}

/** Distance of two announcements, however many messages come: those who listen ask the nodes. */
const DISTANCE_MS = 50;

/** A feed that connects in the background. Without URLs it is never live. */
export const createHeadFeed = ({ urls, timeoutMs, onProblem }: HeadFeedOptions): HeadFeed => {
  const listeners = new Set<{ readonly listener: () => void }>();
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  const announce = (): void => {
    isDue = true;
    if (timer !== undefined) return;
    isDue = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) announce();
    }, DISTANCE_MS);
    for (const { listener } of [...listeners]) listener();
  };
  const subscriptions = urls.map((url) => createHeadSubscription({ url, timeoutMs, onHead: announce, onProblem }));
  return {
    get isLive() {
      return subscriptions.some(({ use }) => use.isLive);
    },
    onHead: (listener) => {
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    uses: () => subscriptions.map(({ use }) => use),
    close: () => {
      clearTimeout(timer);
      listeners.clear();
      for (const { close } of subscriptions) close();
    },
  };
};
