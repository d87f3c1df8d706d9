// The reads of event streams: what is added to a list of events, in the order of the chain.
import type { EventQuery } from './ledgerView.ts';
import type { ChainPosition } from './rows/chainPosition.ts';

/** An event of a feed. */
export interface FeedEvent {
  /** The JSON of the event, in UTF-8 and on one line. The order of its fields is not defined. */
  readonly json: Uint8Array;
  /** Where the feed continues after it. */
  readonly next: ChainPosition;
}

/** Committed events, oldest first, and where the feed continues after all that was read. */
export interface FeedPage {
  readonly events: readonly FeedEvent[];
  readonly next: ChainPosition;
  /** Whether the index had no further event then. */
  readonly isComplete: boolean;
}

/** Reads of committed events from a position of the chain on. */
export interface FeedView {
  /** The position after everything that the index has. */
  readFeedEnd(): Promise<ChainPosition>;
  /**
   * The first `limit` events at or after a position that the list of events would show now, all orders aside; fewer
   * when they are large. Rejects as `encodeEventPage` does.
   */
  readFeed(tenantIdentity: string, query: EventQuery, from: ChainPosition, limit: number): Promise<FeedPage>;
  /** Calls a function after each change of the index. Returns the function that ends this. */
  watchIndex(onChange: () => void): () => void;
}
