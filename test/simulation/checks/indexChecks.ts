// Compares the index that a server built while it ran with one that is built from the chain at once, key by key, and
// the rows that it has in memory with those on the disk.

import type { Ledger } from '../../../host/openLedger.ts';
import { createFollower, type FollowerOptions } from '../../../indexer/follower.ts';
import { cursorKey } from '../../../indexer/keys.ts';
import { encodeRow } from '../../../indexer/rows/rows.ts';
import { createIndexStore, type IndexStore } from '../../../indexer/store.ts';
import { findIndexDifference } from '../../support/findIndexDifference.ts';
import { wait } from '../clients/exchange.ts';
import type { Violation } from '../plan/plan.ts';

const CHECK = 'the index equals a rebuild';
const MEMORY_CHECK = 'a row in memory is the row on the disk';
const PAGE_BLOCKS = 7;
const RETRY_MS = 200;

// A node may be out of use for a moment after its last fault.
const catchUp = async (options: FollowerOptions): Promise<void> => {
  for (;;) {
    try {
      return await (await createFollower(options)).catchUp();
    } catch {
      await wait(RETRY_MS);
    }
  }
};

const findStaleRow = async (store: IndexStore): Promise<string | undefined> => {
  for await (const [key, row] of store.entries()) {
    if (key.equals(cursorKey())) continue;
    const shown = store.read(key);
    if (shown === undefined || !Buffer.from(encodeRow(shown)).equals(encodeRow(row)))
      return `${key.toString('hex')} is ${shown} in memory`;
  }
  return undefined;
};

/**
 * Rebuilds the index of an open ledger in another directory, and compares the two. No record is written meanwhile. Does
 * not end while the chain can't be read.
 */
export const checkIndex = async ({ chain, contract, store }: Ledger, directory: string): Promise<Violation[]> => {
  const rebuilt = await createIndexStore(directory);
  // No block before the deployment has a log of the contract.
  const range = { contract, deploymentBlock: 0, pageBlocks: PAGE_BLOCKS };
  await catchUp({ ...range, chain, store: rebuilt, onWipe: () => undefined });
  const difference = await findIndexDifference(store, rebuilt);
  await rebuilt.close();
  const stale = await findStaleRow(store);
  return [
    ...(difference === undefined ? [] : [{ check: CHECK, text: difference }]),
    ...(stale === undefined ? [] : [{ check: MEMORY_CHECK, text: stale }]),
  ];
};
