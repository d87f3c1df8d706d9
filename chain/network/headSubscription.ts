// Stays subscribed to the new blocks of one node. A connection that ends is made again, after pauses that grow.
import { splitNodeUrl } from '../jsonRpc/nodeUrl.ts';
import { openHeadSocket } from './headSocket.ts';

/** What an operator wants to know of a subscription. */
export interface SubscriptionUse {
  /** Scheme, host and port. */
  readonly name: string;
  /** Whether the node has accepted it, and its connection stands. */
  readonly isLive: boolean;
}

/** A subscription. */
export interface HeadSubscription {
  readonly use: SubscriptionUse;
  close(): void;
}

/** Options of a subscription. */
export interface HeadSubscriptionOptions {
  /** URL of WebSocket, which may hold a user name and a password. */
  readonly url: string;
  /** Milliseconds within which the node must accept it. */
  readonly timeoutMs: number;
  /** Called when the node announces a block, and when it may have one that it didn't announce. */
  readonly onHead: () => void;
  readonly onProblem: (message: string) => void;
}

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 30_000;
/** How long a connection must last to count as a good one. */
const STABLE_MS = 10_000;

/** A subscription that connects in the background. */
export const createHeadSubscription = (options: HeadSubscriptionOptions): HeadSubscription => {
  const { timeoutMs, onHead, onProblem } = options;
  const target = splitNodeUrl(options.url);
  let isLive = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let closeSocket: () => void;

  const praise = (): void => {
    if (failures > 0) onProblem(`${target.name} announces blocks again`);
    failures = 0;
  };
  const onLive = (): void => {
    isLive = true;
    timer = setTimeout(praise, STABLE_MS);
    onHead();
  };
  const onEnd = (reason: string): void => {
    isLive = false;
    clearTimeout(timer);
    if (failures === 0) onProblem(`${target.name} announces no blocks, which are polled meanwhile: ${reason}`);
    failures += 1;
    timer = setTimeout(connect, Math.min(PAUSE_MS_MIN * 2 ** (failures - 1), PAUSE_MS_MAX));
  };
  const connect = (): void => {
    closeSocket = openHeadSocket({ ...target, timeoutMs, onLive, onHead, onEnd });
  };

  connect();
  return {
    get use() {
      return { name: target.name, isLive };
    },
    close: () => {
      isLive = false;
      clearTimeout(timer);
      closeSocket();
    },
  };
};
