// The past state of an asset: its last checkpoint before the time, and the later events that were accepted by then,
// applied in ledger order. Times of acceptance come from different servers' clocks, so they may be out of order, and no
// event is omitted for that.
import { type AssetState, applyEvent, createAssetState } from '../../ledger/assets/asset.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { toKey } from '../../ledger/identity.ts';
import type { ContributionRecord } from '../../ledger/records/contribution.ts';
import type { AssetSettings, EventRecord } from '../../ledger/records/event.ts';
import * as keys from '../keys.ts';
import { assetTerm } from '../projection/terms.ts';
import { lowsOf, toNumber } from '../rows/bits.ts';
import { decodeRecord } from '../rows/recordRow.ts';
import type { AssetRow, CheckpointRow } from '../rows/rows.ts';
import type { Snapshot } from '../snapshots.ts';
import { type RecordName, readAssetRow, readEventRows, readNumbered, toAsset } from './recordReads.ts';
import { select } from './selection/selection.ts';

interface Past {
  readonly snapshot: Snapshot;
  readonly tenantKey: Uint8Array;
  readonly row: AssetRow;
  readonly atMs: number;
  /** Only events with lower numbers count. */
  readonly before: number;
}

const CHECKPOINTS_AT_ONCE = 32;

// The last checkpoint of the time whose event counts: those of an asset are in the order of their events.
const readCheckpoint = async ({ snapshot, tenantKey, row, atMs, before }: Past): Promise<CheckpointRow | undefined> => {
  const { gte, lte } = keys.checkpointRange(tenantKey, toKey(row.identity), atMs);
  let range: keys.KeyRange = { gte: gte!, lte: lte! };
  for (let limit = 1; ; limit = CHECKPOINTS_AT_ONCE) {
    const entries = await snapshot.readLast(range, limit);
    const found = entries.find(([, checkpoint]) => (checkpoint as CheckpointRow).eventNumber < before);
    if (found !== undefined) return found[1] as CheckpointRow;
    if (entries.length < limit) return undefined;
    range = { gte: gte!, lt: entries.at(-1)![0] };
  }
};

/** The state to start from; undefined if the asset was created later. */
const readStart = async (past: Past): Promise<CheckpointRow | undefined> => {
  const { snapshot, tenantKey, row, atMs } = past;
  const checkpoint = await readCheckpoint(past);
  if (checkpoint !== undefined) return checkpoint;
  const creation = decodeRecord(readNumbered(snapshot, tenantKey, row.creationNumber)) as EventRecord;
  const { asset_settings, asset_attributes, timestamp_accepted } = creation;
  if (Date.parse(timestamp_accepted) > atMs) return undefined;
  return {
    eventNumber: row.creationNumber,
    state: createAssetState(asset_settings as AssetSettings, asset_attributes),
  };
};

const findEvents = async ({ snapshot, tenantKey, row, atMs, before }: Past, after: number): Promise<number[]> => {
  const numbers: number[] = [];
  const times = [{ time: 'timestamp_accepted' as const, sinceMs: undefined, beforeMs: atMs + 1 }];
  const selection = {
    tenantKey,
    collection: 'events' as const,
    conditions: { all: [assetTerm(row.number)], none: [] },
    columns: { times, ofAssets: undefined },
  };
  const range = { from: after + 1, to: before, isNewestFirst: false };
  for await (const { chunk, bits } of select(snapshot, selection, range)) {
    numbers.push(...lowsOf(bits).map((low) => toNumber(chunk, low)));
  }
  return numbers;
};

const readState = async (past: Past): Promise<AssetState | undefined> => {
  const start = await readStart(past);
  if (start === undefined) return undefined;
  const numbers = await findEvents(past, start.eventNumber);
  const rows = await readEventRows(past.snapshot, past.tenantKey, numbers);
  const records = rows.map((row) => decodeRecord(row) as EventRecord | ContributionRecord);
  return records.reduce(applyEvent, start.state);
};

/**
 * The asset of the index in the state that its events accepted at or before `atMs` lead to; undefined if it was created
 * later. `before`: only events with lower numbers count.
 */
export const readPastAsset = async (
  snapshot: Snapshot,
  name: RecordName,
  atMs: number,
  before = Number.POSITIVE_INFINITY,
): Promise<Asset | undefined> => {
  const row = readAssetRow(snapshot, name);
  if (row === undefined || row.creationNumber >= before) return undefined;
  // All events count. Most reads are of now.
  if (before === Number.POSITIVE_INFINITY && row.latestAcceptedMs <= atMs) return toAsset(row);
  const state = await readState({ snapshot, tenantKey: toKey(name.tenantIdentity), row, atMs, before });
  return state && { ...toAsset(row), state };
};
