// Compares the index that a server built while it ran with one that is built from the chain at once, key by key.

import type { Ledger } from '../../../host/openLedger.ts';
import { createFollower, type FollowerOptions } from '../../../indexer/follower.ts';
import { cursorKey } from '../../../indexer/keys.ts';
import { createIndexStore, type IndexStore } from '../../../indexer/store.ts';
import { dump } from '../../support/indexDump.ts';
import { wait } from '../clients/exchange.ts';
import type { Violation } from '../plan/plan.ts';

const CHECK = 'the index equals a rebuild';
const PAGE_BLOCKS = 7;
const RETRY_MS = 200;

// Without the cursor, which empty blocks move, also between the two.
const dumpRows = async (store: IndexStore): Promise<Map<string, string>> => {
  const rows = await dump(store);
  rows.delete(cursorKey().toString('hex'));
  return rows;
};

const compare = (grown: Map<string, string>, rebuilt: Map<string, string>): Violation[] => {
  const keys = new Set([...grown.keys(), ...rebuilt.keys()]);
  const different = [...keys].filter((key) => grown.get(key) !== rebuilt.get(key));
  if (different.length === 0) return [];
  const [first = ''] = different;
  const text = `${different.length} rows differ; the first is ${first}: ${grown.get(first) ?? 'missing'}, rebuilt ${rebuilt.get(first) ?? 'missing'}`;
  return [{ check: CHECK, text }];
};

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

/**
 * Rebuilds the index of an open ledger in another directory, and compares the two. No record is written meanwhile. Does
 * not end while the chain can't be read.
 */
export const checkIndex = async ({ chain, contract, store }: Ledger, directory: string): Promise<Violation[]> => {
  const rebuilt = await createIndexStore(directory);
  // No block before the deployment has a log of the contract.
  const range = { contract, deploymentBlock: 0, pageBlocks: PAGE_BLOCKS };
  await catchUp({ ...range, chain, store: rebuilt, onWipe: () => undefined });
  const [grown, expected] = [await dumpRows(store), await dumpRows(rebuilt)];
  await rebuilt.close();
  return compare(grown, expected);
};
