// Checks the nodes again and again, and announces each new final block.
import type { BlockRef } from '../port.ts';
import type { HeadFeed } from './headFeed.ts';
import type { NodeSet } from './nodeSet.ts';

/** Options of the checks. */
export interface NodePollingOptions {
  readonly nodes: Pick<NodeSet, 'checkAll' | 'final'>;
  /** Milliseconds between two checks. */
  readonly pollMs: number;
  /** What says that a check is due earlier. */
  readonly heads: Pick<HeadFeed, 'onHead'> | undefined;
  readonly announce: (head: BlockRef) => void;
  /** Called after each check. Doesn't reject. */
  readonly look: () => Promise<void>;
}

/** Begins with the checks. Returns the function that ends them. */
export const startNodePolling = ({
  nodes,
  pollMs,
  heads,
  announce,
  look,
}: NodePollingOptions): (() => Promise<void>) => {
  let looking = Promise.resolve();
  let announced: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isChecking = false;
  let isDue = false;
  let checking = Promise.resolve();
  const poll = async (): Promise<void> => {
    await nodes.checkAll();
    if (nodes.final !== undefined && nodes.final.number !== announced) {
      announced = nodes.final.number;
      announce(nodes.final);
    }
    looking = look();
    isChecking = false;
    if (!isClosed) schedule(isDue ? 0 : pollMs);
  };
  const begin = (): void => {
    isChecking = true;
    isDue = false;
    checking = poll();
  };
  const schedule = (ms: number): void => {
    timer = setTimeout(begin, ms);
  };
  const endListening = heads?.onHead(() => {
    isDue = true;
    if (isChecking || isClosed) return;
    clearTimeout(timer);
    begin();
  });
  schedule(pollMs);
  return async () => {
    isClosed = true;
    endListening?.();
    clearTimeout(timer);
    await checking;
    await looking;
  };
};
