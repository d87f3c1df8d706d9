// Keeps what a replaced chain had and the chain of now doesn't: the records of the indexes that were set aside. It ends
// with the rename of such an index, so that a start does what a killed rebuild has left.
import { callView } from '../../chain/callView.ts';
import { toQuantity } from '../../chain/jsonRpc/toQuantity.ts';
import type { ChainPort } from '../../chain/port.ts';
import type { Inventory, InventoryRecord, RecordKeys } from '../../indexer/inventory.ts';
import { isIndexed } from '../../indexer/reads/recordReads.ts';
import type { IndexStore } from '../../indexer/store.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { openSalvagedIndex } from '../repair/repairIndex.ts';
import type { GoneRecord } from './goneFile.ts';
import { GONE_RECORDS_MAX, type GoneRecords, openGoneRecords } from './goneRecords.ts';
import { findUnread, markRead, removeRead } from './replacedIndexes.ts';
import { createReturnCheck, isReturned } from './returnedRecords.ts';

/** What the records are compared with. */
export interface ChainOfNow {
  readonly chain: Pick<ChainPort, 'request' | 'fetchFinalHead'>;
  readonly contract: Hex;
  /** The index of the chain as it is now. */
  readonly store: IndexStore;
}

type Report = (line: string, cause?: unknown) => void;

/** Records that the chain is asked for at once. */
const TOGETHER = 50;

const isOnChain = async (
  { chain, contract }: ChainOfNow,
  { tenantKey, recordKey }: RecordKeys,
  block: Hex,
): Promise<boolean> => {
  const call = { name: 'recordOf', args: [tenantKey, recordKey], block };
  const [, sequence] = await callView(chain.request, contract, call);
  return sequence !== 0n;
};

const filterAbsent = async <T>(now: ChainOfNow, names: readonly T[], toKeys: (name: T) => RecordKeys): Promise<T[]> => {
  const absent: T[] = [];
  const block = toQuantity((await now.chain.fetchFinalHead()).number);
  for (let at = 0; at < names.length; at += TOGETHER) {
    const part = names.slice(at, at + TOGETHER);
    const found = await Promise.all(part.map((name) => isOnChain(now, toKeys(name), block)));
    absent.push(...part.filter((_, index) => !found[index]));
  }
  return absent;
};

const toKeysOf = ({ tenantKey, record }: InventoryRecord): RecordKeys => ({
  tenantKey,
  recordKey: toHex(toKey(record.identity)),
});

const toGone = ({ tenantIdentity, record, payload, place }: InventoryRecord): GoneRecord[] =>
  tenantIdentity === undefined ? [] : [{ tenantIdentity, record, payload, place }];

// The index lacks the records of tenants that aren't served, so the chain decides. One that it has with another content
// is gone all the same.
const findGone = async (now: ChainOfNow, { records }: Inventory): Promise<GoneRecord[]> => {
  const left = records.flatMap((found) => toGone(found).map((gone) => ({ found, gone })));
  const others = left.filter(({ gone }) => isIndexed(now.store, toNameOf(gone)) && !isReturned(now.store, gone));
  const missing = left.filter(({ gone }) => !isIndexed(now.store, toNameOf(gone)));
  const absent = await filterAbsent(now, missing, ({ found }) => toKeysOf(found));
  const gone = new Set([...others, ...absent].map((each) => each.gone));
  return left.flatMap((each) => (gone.has(each.gone) ? [each.gone] : []));
};

const toNameOf = ({ tenantIdentity, record }: GoneRecord) => ({ tenantIdentity, identity: record.identity });

const toNameText = ({ tenantKey, recordKey }: RecordKeys): string => `${tenantKey} ${recordKey}`;

// Only a damaged index names records that it doesn't have.
const reportUnreadable = async (now: ChainOfNow, inventory: Inventory, report: Report): Promise<boolean> => {
  const { records, names, damagedRows } = inventory;
  if (damagedRows === 0) return false;
  const read = new Set(records.map((record) => toNameText(toKeysOf(record))));
  const unread = names.filter((name) => !read.has(toNameText(name)));
  for (const { tenantKey, recordKey } of await filterAbsent(now, unread, (name) => name))
    report(`LOST: the record with the key ${recordKey} of the tenant with the key ${tenantKey}: its row is damaged`);
  report(`${damagedRows} rows of the index before are damaged`);
  return true;
};

const reportGone = (gone: readonly GoneRecord[], report: Report): void => {
  for (const { record, tenantIdentity, place } of gone)
    report(`${record.identity} of ${tenantIdentity}, of block ${place.blockNumber}, is no longer on the chain`);
};

const keepOf = async (path: string, now: ChainOfNow, gone: GoneRecords, report: Report): Promise<void> => {
  const before = await openSalvagedIndex(path);
  const inventory = await before.readInventory(0).finally(before.close);
  const found = await findGone(now, inventory);
  const left = await gone.keep(found);
  reportGone(found, report);
  const isDamaged = await reportUnreadable(now, inventory, report);
  if (left > 0) {
    report(`${left} of them are only in ${path}, because ${GONE_RECORDS_MAX} records are kept at most`);
    return;
  }
  if (found.length === 0 && !isDamaged) return removeRead(path);
  const read = await markRead(path);
  report(`${found.length} records are no longer on the chain, and are kept; the index that had them is ${read}`);
};

/**
 * Opens the gone records of a data directory: keeps those of each index that was set aside and not read yet, names them
 * in lines of `report`, and removes those that the chain has again. Rejects when no node answers; then it is done by
 * the next start or rebuild.
 */
export const openGone = async (dataDir: string, now: ChainOfNow, report: Report): Promise<GoneRecords> => {
  const paths = dataPaths(dataDir);
  const gone = await openGoneRecords(paths.gone, report);
  for (const path of await findUnread(paths.index)) await keepOf(path, now, gone, report);
  await createReturnCheck(gone, now.store, report)();
  return gone;
};
