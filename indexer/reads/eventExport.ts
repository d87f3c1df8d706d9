// Reads the committed events of a tenant, or of one asset, in ledger order. An event's number and row never change, so
// each page is read from a snapshot of its own, and a slow reader keeps no snapshot open.
import { toAssetIdentity, toKey } from '../../ledger/identity.ts';
import { createMissingRowError } from '../damage.ts';
import * as keys from '../keys.ts';
import type { EventSpan, LedgerView } from '../ledgerView.ts';
import { assetTerm } from '../projection/terms.ts';
import { countBits, lowsOf, toNumber } from '../rows/bits.ts';
import type { Snapshot } from '../snapshots.ts';
import type { IndexStore } from '../store.ts';
import { createEncodeEventRow } from './eventJson.ts';
import { readAssetRow, readEventNumber, readEventRows } from './recordReads.ts';
import { type SelectedChunk, select } from './selection/selection.ts';

// The tenant whose events are read, and the asset; undefined for those of all assets.
interface EventOwner {
  readonly tenantIdentity: string;
  readonly assetUuid: string | undefined;
}

const selectOfAsset = (
  snapshot: Snapshot,
  { tenantIdentity, assetUuid }: EventOwner,
  { from, to }: Pick<EventSpan, 'from' | 'to'>,
): AsyncIterable<SelectedChunk> | readonly SelectedChunk[] => {
  const asset = readAssetRow(snapshot, { tenantIdentity, identity: toAssetIdentity(assetUuid!) });
  if (asset === undefined) return [];
  const conditions = { all: [assetTerm(asset.number)], none: [] };
  const selection = { tenantKey: toKey(tenantIdentity), collection: 'events' as const, conditions };
  return select(snapshot, selection, { from, to, isNewestFirst: false });
};

const readEventSpan = async (
  snapshot: Snapshot,
  owner: EventOwner,
  after: string | undefined,
): Promise<EventSpan | undefined> => {
  const { tenantIdentity, assetUuid } = owner;
  const last = after === undefined ? -1 : readEventNumber(snapshot, { tenantIdentity, identity: after });
  if (last === undefined) return undefined;
  const from = last + 1;
  const to = (snapshot.read(keys.counterKey(toKey(tenantIdentity), 'events')) as number | undefined) ?? 0;
  if (assetUuid === undefined) return { from, to, count: to - from };
  let count = 0;
  for await (const { bits } of selectOfAsset(snapshot, owner, { from, to })) count += countBits(bits);
  return { from, to, count };
};

// The rows of consecutive events are neighbours.
const readRowsFrom = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<Uint8Array[]> => {
  const toMemberKey = (number: number): Buffer => keys.memberKey(tenantKey, 'events', number);
  const entries = await snapshot.readFirst({ gte: toMemberKey(from), lt: toMemberKey(from + count) }, count);
  for (let at = 0; at < count; at += 1) {
    const key = entries[at]?.[0];
    if (key === undefined || keys.eventNumberOf(key) !== from + at) throw createMissingRowError(toMemberKey(from + at));
  }
  return entries.map(([, row]) => row as Uint8Array);
};

const readNumbersOfAsset = async (
  snapshot: Snapshot,
  owner: EventOwner,
  span: Pick<EventSpan, 'from' | 'to'>,
  limit: number,
): Promise<number[]> => {
  const numbers: number[] = [];
  for await (const { chunk, bits } of selectOfAsset(snapshot, owner, span)) {
    numbers.push(...lowsOf(bits).map((low) => toNumber(chunk, low)));
    if (numbers.length >= limit) break;
  }
  return numbers.slice(0, limit);
};

const readSpanPage = async (
  snapshot: Snapshot,
  owner: EventOwner,
  { from, to }: Pick<EventSpan, 'from' | 'to'>,
  limit: number,
): ReturnType<LedgerView['readSpanPage']> => {
  const { tenantIdentity, assetUuid } = owner;
  const tenantKey = toKey(tenantIdentity);
  const encodeRow = createEncodeEventRow(tenantIdentity);
  if (assetUuid === undefined) {
    const count = Math.min(limit, to - from);
    const rows = await readRowsFrom(snapshot, tenantKey, { from, count });
    return { events: rows.map(encodeRow), from: from + count };
  }
  const numbers = await readNumbersOfAsset(snapshot, owner, { from, to }, limit);
  const rows = await readEventRows(snapshot, tenantKey, numbers);
  return { events: rows.map(encodeRow), from: numbers.length < limit ? to : numbers.at(-1)! + 1 };
};

/** The reads of exports. */
export const createExportReads = (store: IndexStore): Pick<LedgerView, 'readEventSpan' | 'readSpanPage'> => {
  const readCommitted = async <T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T> => {
    const snapshot = await store.snapshot();
    try {
      return await read(snapshot);
    } finally {
      await snapshot.close();
    }
  };
  return {
    readEventSpan: (tenantIdentity, assetUuid, after) =>
      readCommitted((snapshot) => readEventSpan(snapshot, { tenantIdentity, assetUuid }, after)),
    readSpanPage: (tenantIdentity, assetUuid, span, limit) =>
      readCommitted((snapshot) => readSpanPage(snapshot, { tenantIdentity, assetUuid }, span, limit)),
  };
};
