// The assets of another tenant that a reader sees and that meet a query, as a list.
import type { Asset } from '../../../ledger/assets/assetResource.ts';
import * as keys from '../../keys.ts';
import type { AssetQuery } from '../../ledgerView.ts';
import { NO_MEMBERS } from '../../projection/terms.ts';
import { hasAny, intersect } from '../../rows/bits.ts';
import { type AssetRow, decodeAssetPosition } from '../../rows/rows.ts';
import type { Snapshot } from '../../snapshots.ts';
import { splitStatus } from '../matchingAssets.ts';
import type { MemberList } from '../mergedPage.ts';
import { readMembers, toAsset } from '../recordReads.ts';
import { toConditions } from '../selection/conditions.ts';
import { type NumberRange, readCount, type SelectedChunk, type Selection, select } from '../selection/selection.ts';
import { restrictAsset } from './restricted.ts';
import { readMeetingAssets, requiredOf, toRestrictedTerms } from './restrictedTerms.ts';
import { readableNames, type VisibleAssets } from './visibleAssets.ts';

const toSelection = ({ tenantKey }: VisibleAssets, query: AssetQuery, required: readonly string[]): Selection => {
  const { rest, matchesStatus } = splitStatus(query.fields);
  const tracked = query.tracked === 'ANY' ? [] : [{ field: 'tracked', value: query.tracked }];
  const { all } = toConditions('assets', { attributes: [], fields: [...tracked, ...rest] });
  // Everything that the chain has is confirmed.
  const conditions = { all: matchesStatus('CONFIRMED') ? [...all, ...required] : [NO_MEMBERS], none: [] };
  return { tenantKey, collection: 'assets', conditions };
};

/** Selects the assets that the reader sees and that meet the query. */
export async function* selectSharedAssets(
  snapshot: Snapshot,
  visible: VisibleAssets,
  query: AssetQuery,
  range: NumberRange,
): AsyncGenerator<SelectedChunk> {
  const terms = toRestrictedTerms('assets', query.attributes);
  for await (const selected of select(snapshot, toSelection(visible, query, requiredOf(terms)), range)) {
    intersect(selected.bits, await readMeetingAssets(snapshot, visible, terms, selected.chunk));
    if (hasAny(selected.bits)) yield selected;
  }
}

/** Reads assets by their numbers, restricted to what the reader sees of each. */
export const readSharedAssets = async (
  snapshot: Snapshot,
  visible: VisibleAssets,
  numbers: readonly number[],
): Promise<Asset[]> => {
  const members = { tenantKey: visible.tenantKey, collection: 'assets', numbers } as const;
  const rows = (await readMembers(snapshot, members, keys.assetKey)) as AssetRow[];
  return Promise.all(rows.map(async (row) => restrictAsset(toAsset(row), await readableNames(visible, row.number))));
};

/** Reads where the chain has the creations of a tenant's assets, by their numbers. */
export const createAssetPositions = (snapshot: Snapshot, tenantKey: Uint8Array) => {
  const toMemberKey = (number: number): Buffer => keys.memberKey(tenantKey, 'assets', number);
  return {
    readPositions: async (numbers: readonly number[]) =>
      (await snapshot.readMany(numbers.map(toMemberKey))).map((row) => decodeAssetPosition(row!)),
    readPosition: (number: number) => decodeAssetPosition(snapshot.read(toMemberKey(number))!),
  };
};

/** The assets that the reader sees and that meet the query, as a list of another tenant's members. */
export const toSharedAssetList = (
  snapshot: Snapshot,
  visible: VisibleAssets,
  query: AssetQuery,
): MemberList<Asset> => ({
  select: (to, from = 0) => selectSharedAssets(snapshot, visible, query, { from, to, isNewestFirst: true }),
  readCount: () => readCount(snapshot, { tenantKey: visible.tenantKey, collection: 'assets' }),
  ...createAssetPositions(snapshot, visible.tenantKey),
  readItems: (numbers) => readSharedAssets(snapshot, visible, numbers),
});
