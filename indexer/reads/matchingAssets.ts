// Finds the assets that meet conditions: those of the index, and those that uncommitted events create or change.
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { toKey } from '../../ledger/identity.ts';
import { isCreation } from '../../ledger/records/event.ts';
import { type AssetFilters, matchesAsset } from '../../ledger/sharing/grants.ts';
import type { AssetQuery, FieldFilter } from '../ledgerView.ts';
import { assetTerms, NO_MEMBERS } from '../projection/terms.ts';
import { hasAny, intersect } from '../rows/bits.ts';
import type { AssetRow } from '../rows/rows.ts';
import type { Snapshot } from '../snapshots.ts';
import { toNumberSet, withOverlay } from './overlay.ts';
import { readAssetRow, toAsset } from './recordReads.ts';
import { type Conditions, meetsConditions, toConditions } from './selection/conditions.ts';
import { type SelectedChunk, select } from './selection/selection.ts';
import { createMatchAssets, type MatchAssets } from './sharing/matchedAssets.ts';
import { overlayAsset, type UncommittedEvent } from './uncommitted.ts';

/** An asset with its uncommitted events applied. */
export interface ChangedAsset {
  readonly asset: Asset;
  /** Its number; undefined if its creation is not in the index. */
  readonly number: number | undefined;
  /** When its creation was accepted, in milliseconds since the epoch; undefined if that is in the index. */
  readonly creationMs: number | undefined;
}

const toChangedAsset = (
  snapshot: Snapshot,
  tenantIdentity: string,
  identity: string,
  entries: readonly UncommittedEvent[],
): ChangedAsset[] => {
  const row = readAssetRow(snapshot, { tenantIdentity, identity });
  const asset = overlayAsset(row && toAsset(row), entries);
  if (asset === undefined) return [];
  if (row !== undefined) return [{ asset, number: row.number, creationMs: undefined }];
  const { record } = entries.find((entry) => isCreation(entry.record))!;
  return [{ asset, number: undefined, creationMs: Date.parse(record.timestamp_accepted) }];
};

/** The assets that uncommitted events create or change, in the order of their first such events. */
export const readChangedAssets = (
  snapshot: Snapshot,
  tenantIdentity: string,
  uncommitted: readonly UncommittedEvent[],
): ChangedAsset[] =>
  [...Map.groupBy(uncommitted, ({ streamIdentity }) => streamIdentity)].flatMap(([identity, entries]) =>
    toChangedAsset(snapshot, tenantIdentity, identity, entries),
  );

const indexedNumbersOf = (changed: readonly ChangedAsset[]): number[] =>
  changed.flatMap(({ number }) => (number === undefined ? [] : [number]));

/** What assets must meet. */
export interface AssetConditions {
  readonly conditions: Conditions;
  /** Undefined: every asset matches. */
  readonly filters?: AssetFilters | undefined;
}

const meetsAll = ({ conditions, filters = [] }: AssetConditions, asset: Asset): boolean =>
  meetsConditions(conditions, assetTerms(asset)) && matchesAsset({ filters }, asset.state.attributes);

async function* keepMatching(
  selected: AsyncIterable<SelectedChunk>,
  match: MatchAssets,
): AsyncGenerator<SelectedChunk> {
  for await (const { chunk, bits } of selected) {
    const [matching] = await match(chunk);
    intersect(bits, matching);
    if (hasAny(bits)) yield { chunk, bits };
  }
}

/**
 * The assets of the index that meet the conditions after their uncommitted events, newest first: those with a number
 * below `to` and of at least `from`, and others that have such events.
 */
export const selectAssets = (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  { conditions, filters, changed }: AssetConditions & { readonly changed: readonly ChangedAsset[] },
  { from = 0, to = Number.POSITIVE_INFINITY }: { readonly from?: number; readonly to?: number } = {},
): AsyncIterable<SelectedChunk> => {
  const all = select(snapshot, { tenantKey, collection: 'assets', conditions }, { from, to, isNewestFirst: true });
  const selected = filters === undefined ? all : keepMatching(all, createMatchAssets(snapshot, tenantKey, [filters]));
  if (changed.length === 0) return selected;
  const matching = changed.filter(({ asset }) => meetsAll({ conditions, filters }, asset));
  return withOverlay(selected, {
    changed: toNumberSet(indexedNumbersOf(changed)),
    matching: toNumberSet(indexedNumbersOf(matching)),
  });
};

/**
 * Separates filters on the status from the others. Everything in the index is confirmed, so it has no terms for the
 * status.
 */
export const splitStatus = <F extends string>(fields: readonly FieldFilter<F>[]) => {
  const isStatus = ({ field }: FieldFilter<F>): boolean => field === 'confirmation_status';
  const statuses = fields.filter(isStatus).map(({ value }) => value);
  return {
    rest: fields.filter((filter) => !isStatus(filter)),
    matchesStatus: (status: string): boolean => statuses.every((value) => value === status),
  };
};

const toAssetConditions = ({ tracked, attributes, fields }: AssetQuery): Conditions => {
  const trackedFilter = tracked === 'ANY' ? [] : [{ field: 'tracked', value: tracked }];
  return toConditions('assets', { attributes, fields: [...trackedFilter, ...splitStatus(fields).rest] });
};

/** What assets are read from. */
export interface AssetSource {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
  readonly uncommitted: readonly UncommittedEvent[];
}

/** The assets of rows, with their uncommitted events applied. */
export const toItems = (changed: readonly ChangedAsset[], rows: readonly AssetRow[]): Asset[] => {
  const overlaid = new Map(changed.map(({ asset }) => [asset.identity, asset]));
  return rows.map((row) => overlaid.get(row.identity) ?? toAsset(row));
};

/** The assets that meet a query. */
export interface MatchingAssets {
  readonly changed: readonly ChangedAsset[];
  /** Those whose creation is not in the index. */
  readonly created: readonly ChangedAsset[];
  /** Selects those of the index as `selectAssets` does, newest first. */
  select(to: number, from?: number): AsyncIterable<SelectedChunk>;
}

/** Finds the assets that meet a query, in the index and among the uncommitted events. */
export const matchAssets = (
  { snapshot, tenantIdentity, uncommitted }: AssetSource,
  query: AssetQuery,
): MatchingAssets => {
  const tenantKey = toKey(tenantIdentity);
  const { matchesStatus } = splitStatus(query.fields);
  const conditions = toAssetConditions(query);
  const filters = query.matching;
  const indexed = matchesStatus('CONFIRMED') ? conditions : { all: [NO_MEMBERS], none: [] };
  const changed = readChangedAssets(snapshot, tenantIdentity, uncommitted);
  const isMatching = ({ asset, number }: ChangedAsset): boolean =>
    number === undefined && matchesStatus(asset.confirmation_status) && meetsAll({ conditions, filters }, asset);
  return {
    changed,
    created: changed.filter(isMatching),
    select: (to, from = 0) =>
      selectAssets(snapshot, tenantKey, { conditions: indexed, filters, changed }, { from, to }),
  };
};
