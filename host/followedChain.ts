// The index of a running server follows the chain: after each new final block, and after damage.
import { isDefect, raiseDefect } from '../chain/defects.ts';
import type { IndexedChain } from './indexedChain.ts';
import type { LedgerOptions } from './ledgerOptions.ts';

/** Pause before the index retries to catch up. */
const FOLLOW_RETRY_MS = 1_000;

/** The parts of a chain with its index that following it needs. */
type FollowedIndex = Pick<IndexedChain, 'follower' | 'finalMark'> & {
  readonly chain: Pick<IndexedChain['chain'], 'onFinalHead'>;
  readonly store: Pick<IndexedChain['store'], 'damage'>;
};

/**
 * Keeps the index at the chain's head, also when third parties write to the chain. Returns a function that ends it, and
 * resolves when nothing uses the index any more. `onDefect` gets a mistake of this program, which by default ends the
 * process: the index isn't tried again after it.
 */
export const followChain = (
  { chain, store, follower, finalMark }: FollowedIndex,
  onProblem: LedgerOptions['onProblem'],
  onDefect: (cause: unknown) => void = raiseDefect,
): (() => Promise<void>) => {
  const following = new Set<Promise<void>>();
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isBehind = false;
  let isRebuilding = false;
  const followOnce = async (): Promise<void> => {
    try {
      await follower.catchUp();
      finalMark.note();
      // A run that had begun before the damage was found ends without a rebuild.
      if (!store.damage.isComplete()) await follower.catchUp();
      if (isRebuilding) onProblem('the index has been rebuilt');
      isRebuilding = false;
      if (isBehind) onProblem('the index has caught up with the chain again');
      isBehind = false;
    } catch (cause) {
      if (!isBehind) onProblem('the index is behind the chain', cause);
      isBehind = true;
      if (isDefect(cause)) onDefect(cause);
      else retryLater();
    }
  };
  // Several runs may fail before the next block, and only one of them may try again.
  const retryLater = (): void => {
    clearTimeout(retry);
    if (!isStopped) retry = setTimeout(follow, FOLLOW_RETRY_MS);
  };
  const follow = (): void => {
    clearTimeout(retry);
    if (isStopped) return;
    const run = followOnce().finally(() => following.delete(run));
    following.add(run);
  };
  const stop = chain.onFinalHead(follow);
  store.damage.onFound(() => {
    isRebuilding = true;
    follow();
  });
  return async () => {
    isStopped = true;
    stop();
    clearTimeout(retry);
    await Promise.all(following);
  };
};
