// Lists what an index contains: tenants and files, to check that a restored installation has their keys and bytes; and
// records with their places, to repair the chain's journal.
import { type Hex, toHex } from '../ledger/encoding/hex.ts';
import { toKey } from '../ledger/identity.ts';
import { decodePayload, type LedgerRecord } from '../ledger/records/record.ts';
import * as keys from './keys.ts';
import { decodePayloadRow, isRecordRow, type Place } from './rows/recordRow.ts';
import { decodeStored } from './rows/rowChecksum.ts';
import { decodeRow, type TenantRow } from './rows/rows.ts';
import type { Entry } from './snapshots.ts';
import type { IndexStore } from './store.ts';

const PAGE_ENTRIES = 1_000;

async function* readAll(store: IndexStore, range: keys.KeyRange): AsyncGenerator<Entry> {
  const snapshot = await store.snapshot();
  try {
    let rest = range;
    for (;;) {
      const page = await snapshot.readFirst(rest, PAGE_ENTRIES);
      yield* page;
      if (page.length < PAGE_ENTRIES) return;
      rest = { gt: page.at(-1)![0], lt: range.lt! };
    }
  } finally {
    await snapshot.close();
  }
}

/** The identities of the tenants that the index serves. */
export async function* readTenantIdentities(store: IndexStore): AsyncGenerator<string> {
  for await (const [, row] of readAll(store, keys.tenantRange())) {
    const { identity, isSharingOnly } = row as TenantRow;
    if (!isSharingOnly) yield identity;
  }
}

/** The SHA-256 of every file that a tenant's blobs refer to, each once, in lower-case hexadecimal. */
export async function* readContents(store: IndexStore, tenantIdentity: string): AsyncGenerator<string> {
  for await (const [key] of readAll(store, keys.contentRange(toKey(tenantIdentity)))) yield keys.contentOf(key);
}

/** A record of the index with the bytes that were signed. */
export interface InventoryRecord {
  readonly tenantKey: Hex;
  /** Undefined if the index lacks the tenant's row. */
  readonly tenantIdentity: string | undefined;
  readonly record: LedgerRecord;
  readonly payload: Uint8Array;
  readonly place: Place;
}

/** Records without a row: the numbers of their neighbours prove that they existed in one of these blocks. */
export interface Hole {
  readonly tenantKey: Hex | undefined;
  readonly count: number;
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** The keys that identify a record on the chain. */
export interface RecordKeys {
  readonly tenantKey: Hex;
  readonly recordKey: Hex;
}

/** The records that an index has of the blocks after a given one. */
export interface Inventory {
  /** In chain order. */
  readonly records: readonly InventoryRecord[];
  readonly holes: readonly Hole[];
  /** The keys of all records of the index, including those in earlier blocks and those whose row is damaged. */
  readonly names: readonly RecordKeys[];
  /** Number of rows of the complete index that are not what was written. */
  readonly damagedRows: number;
}

/** The entries of an index as LevelDB stores them. */
export type StoredEntries = AsyncIterable<readonly [key: Buffer, stored: Buffer]>;

type Placed = NonNullable<ReturnType<typeof decodePayloadRow>> & { readonly record: LedgerRecord };

// Layouts before version 9 have no checksums: a row that can't be decoded is damaged.
const decodeUnchecked = <T>(decode: () => T): T | undefined => {
  try {
    return decode();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
};

const decodePlaced = (row: Uint8Array): Placed | undefined => {
  const placed = decodePayloadRow(row);
  const record = placed && decodePayload(placed.payload);
  return record && { ...placed, record };
};

interface EventAt {
  readonly number: number;
  readonly blockNumber: number;
}

// A tenant's events are numbered without gaps.
const findEventHoles = (tenantKey: Hex, events: readonly EventAt[]): Hole[] => {
  const sorted = events.toSorted((a, b) => a.number - b.number);
  return sorted.flatMap(({ number, blockNumber }, at) => {
    const before = sorted[at - 1] ?? { number: -1, blockNumber: 1 };
    const count = number - before.number - 1;
    return count === 0 ? [] : [{ tenantKey, count, firstBlock: before.blockNumber, lastBlock: blockNumber }];
  });
};

// The embedded chain has one transaction per block, and the logs of a block are numbered without gaps.
const findLogHoles = (records: readonly InventoryRecord[]): Hole[] =>
  [...Map.groupBy(records, ({ place }) => place.blockNumber)].flatMap(([block, found]) => {
    const count = Math.max(...found.map(({ place }) => place.logIndex)) + 1 - found.length;
    return count === 0 ? [] : [{ tenantKey: undefined, count, firstBlock: block, lastBlock: block }];
  });

/** Reads the records after a block and skips damaged rows. `isChecked`: whether the rows have checksums. */
export const readInventory = async (
  entries: StoredEntries,
  isChecked: boolean,
  afterBlock: number,
): Promise<Inventory> => {
  const tenants = new Map<Hex, string>();
  const found: Omit<InventoryRecord, 'tenantIdentity'>[] = [];
  const events = new Map<Hex, EventAt[]>();
  const names: RecordKeys[] = [];
  let damagedRows = 0;
  const readRecord = (key: Buffer, { place, payload, record }: Placed): void => {
    const tenantKey = toHex(keys.tenantOf(key));
    const number = keys.eventNumberOf(key);
    if (number !== undefined) {
      const numbered = events.get(tenantKey) ?? [];
      numbered.push({ number, blockNumber: place.blockNumber });
      events.set(tenantKey, numbered);
    }
    // A contribution is a record of its writer's tenant, and besides an event of the asset's owner.
    const isCopy = number !== undefined && record.type === 'contribution';
    if (place.blockNumber > afterBlock && !isCopy) found.push({ tenantKey, place, payload, record });
  };
  for await (const [key, stored] of entries) {
    // LevelDB shares the beginnings of keys, so that a flipped bit in a file can change a key's length.
    if (!keys.hasValidLength(key)) {
      damagedRows += 1;
      continue;
    }
    const recordKey = keys.recordKeyOf(key);
    if (recordKey !== undefined) names.push({ tenantKey: toHex(keys.tenantOf(key)), recordKey: toHex(recordKey) });
    const row = isChecked ? decodeStored(key, stored) : decodeUnchecked(() => decodeRow(stored));
    const isRecord = row instanceof Uint8Array && isRecordRow(row);
    const placed = isRecord ? decodeUnchecked(() => decodePlaced(row)) : undefined;
    if (row === undefined || (isRecord && placed === undefined)) damagedRows += 1;
    else if (keys.isTenantRow(key)) tenants.set(toHex(keys.tenantOf(key)), (row as TenantRow).identity);
    if (placed !== undefined) readRecord(key, placed);
  }
  const records = found
    .sort(({ place: a }, { place: b }) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    .map((record) => ({ ...record, tenantIdentity: tenants.get(record.tenantKey) }));
  const holes = [...events].flatMap(([tenantKey, numbered]) => findEventHoles(tenantKey, numbered));
  return {
    records,
    holes: [...holes.filter(({ lastBlock }) => lastBlock > afterBlock), ...findLogHoles(records)],
    names,
    damagedRows,
  };
};
