// The index of a running server follows the chain: after each new final block, and after damage.
import type { IndexedChain } from './indexedChain.ts';
import type { LedgerOptions } from './ledgerOptions.ts';

/** Pause before the index retries to catch up. */
const FOLLOW_RETRY_MS = 1_000;

/** Keeps the index at the chain's head, also when third parties write to the chain. Returns a function that ends it. */
export const followChain = (
  { chain, store, follower }: IndexedChain,
  onProblem: LedgerOptions['onProblem'],
): (() => Promise<void>) => {
  let following = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isBehind = false;
  let isRebuilding = false;
  const followOnce = async (): Promise<void> => {
    try {
      await follower.catchUp();
      // A run that had begun before the damage was found ends without a rebuild.
      if (!store.damage.isComplete()) await follower.catchUp();
      if (isRebuilding) onProblem('the index has been rebuilt');
      isRebuilding = false;
      if (isBehind) onProblem('the index has caught up with the chain again');
      isBehind = false;
    } catch (cause) {
      if (!isBehind) onProblem('the index is behind the chain', cause);
      isBehind = true;
      if (!isStopped) retry = setTimeout(follow, FOLLOW_RETRY_MS);
    }
  };
  const follow = (): void => {
    clearTimeout(retry);
    following = followOnce();
  };
  const stop = chain.onFinalHead(follow);
  store.damage.onFound(() => {
    isRebuilding = true;
    follow();
  });
  return () => {
    isStopped = true;
    stop();
    clearTimeout(retry);
    return following;
  };
};
