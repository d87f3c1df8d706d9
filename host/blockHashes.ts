// Hashes of blocks that answers name. A network proves an older block by the headers after it, so that only the newest
// blocks are looked up, and no answer waits for it longer than it takes a node to hang.
import { setTimeout as sleep } from 'node:timers/promises';
import { raiseIfMistake } from '../chain/defects.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import type { Ledger } from './openLedger.ts';

/** Blocks before the index's newest one whose hashes are looked up: some 150 requests to a node. */
const DISTANCE_MAX = 10_000;
const WAIT_MS = 5_000;

/** Returns a function that finds the hash of a final block of a ledger's chain; it never rejects. */
export const createFindBlockHash =
  ({ chain, store }: Pick<Ledger, 'chain' | 'store'>) =>
  async (number: number): Promise<Hex | undefined> => {
    const newest = store.readCursor()?.blockNumber ?? 0;
    if (number > newest || newest - number > DISTANCE_MAX) return undefined;
    const timer = new AbortController();
    const timeout = sleep(WAIT_MS, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
    try {
      return await Promise.race([chain.fetchBlockHash(number), timeout]);
    } catch (cause) {
      raiseIfMistake(cause);
      // The answer is the same without it, and the chain's state is reported elsewhere.
      return undefined;
    } finally {
      timer.abort();
    }
  };
