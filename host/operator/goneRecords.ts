// The records of an index that was set aside, because the chain has replaced blocks that were final, which the chain of
// now doesn't have.
import { rm } from 'node:fs/promises';
import type { InventoryRecord } from '../../indexer/inventory.ts';
import { readCommitments } from '../../indexer/reads/recordReads.ts';
import type { IndexStore } from '../../indexer/store.ts';
import { openSalvagedIndex } from '../repair/repairIndex.ts';

/** Records that are looked up at once. */
const BATCH_RECORDS = 1_000;

type Placed = InventoryRecord & { readonly tenantIdentity: string };

const hasTenant = (record: InventoryRecord): record is Placed => record.tenantIdentity !== undefined;

/**
 * The records of the index at `path` that `store` lacks, in the order of the chain that it was built from. Deletes the
 * index if there are none.
 */
export const findGoneRecords = async (path: string, store: IndexStore): Promise<readonly Placed[]> => {
  const gone: Placed[] = [];
  const before = await openSalvagedIndex(path);
  try {
    const { records } = await before.readInventory(0);
    for (let at = 0; at < records.length; at += BATCH_RECORDS) {
      const part = records.slice(at, at + BATCH_RECORDS).filter(hasTenant);
      const commitments = readCommitments(store, part);
      gone.push(...part.filter((_, index) => commitments[index] === undefined));
    }
  } finally {
    await before.close();
  }
  if (gone.length === 0) await rm(path, { recursive: true });
  return gone;
};
