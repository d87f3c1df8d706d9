// The assets of another tenant that a reader sees and that meet a query, as a list.
import type { Asset } from '../../../ledger/assets/assetResource.ts';
import * as keys from '../../keys.ts';
import type { AssetQuery } from '../../ledgerView.ts';
import { NO_MEMBERS } from '../../projection/terms.ts';
import { hasAny } from '../../rows/bits.ts';
import { type AssetRow, decodeAssetPosition, decodeMember } from '../../rows/rows.ts';
import type { Snapshot } from '../../snapshots.ts';
import { splitStatus } from '../matchingAssets.ts';
import type { MemberList } from '../mergedPage.ts';
import { readReferenced, toAsset } from '../recordReads.ts';
import { addFilters, type FilterTerms, toConditions } from '../selection/conditions.ts';
import { type NumberRange, readCount, type SelectedChunk, type Selection, select } from '../selection/selection.ts';
import { restrictAsset } from './restricted.ts';
import { keepMeetingAssets, requiredOf, toRestrictedTerms } from './restrictedTerms.ts';
import { readNames, type VisibleAssets } from './visibleAssets.ts';

const toSelection = ({ tenantKey }: VisibleAssets, query: AssetQuery, required: readonly FilterTerms[]): Selection => {
  const { rest, matchesStatus } = splitStatus(query.fields);
  const tracked = query.tracked === 'ANY' ? [] : [{ field: 'tracked', value: query.tracked }];
  const ofFields = toConditions('assets', { attributes: [], fields: [...tracked, ...rest] });
  // Everything that the chain has is confirmed.
  const conditions = matchesStatus('CONFIRMED') ? addFilters(ofFields, required) : { all: [NO_MEMBERS], none: [] };
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
    await keepMeetingAssets(snapshot, visible, terms, selected);
    if (hasAny(selected.bits)) yield selected;
  }
}

/** The assets of rows, restricted to what the reader sees of each. */
export const restrictRows = async (visible: VisibleAssets, rows: readonly AssetRow[]): Promise<Asset[]> => {
  const names = await readNames(
    visible,
    rows.map(({ number }) => number),
  );
  return rows.map((row, at) => restrictAsset(toAsset(row), names[at]!));
};

/** How a page gets a tenant's assets: where the chain has their creations, and their rows. */
export const createAssetMembers = (snapshot: Snapshot, tenantKey: Uint8Array) => {
  const known = new Map<number, Uint8Array>();
  const toMemberKey = (number: number): Buffer => keys.memberKey(tenantKey, 'assets', number);
  const read = async (numbers: readonly number[]): Promise<Uint8Array[]> => {
    const missing = numbers.filter((number) => !known.has(number));
    const rows = await readReferenced(snapshot, missing.map(toMemberKey));
    for (const [at, number] of missing.entries()) known.set(number, rows[at] as Uint8Array);
    return numbers.map((number) => known.get(number)!);
  };
  return {
    readPositions: async (numbers: readonly number[]) => (await read(numbers)).map(decodeAssetPosition),
    readPosition: (number: number) => {
      const member = known.get(number) ?? (snapshot.read(toMemberKey(number)) as Uint8Array);
      known.set(number, member);
      return decodeAssetPosition(member);
    },
    readRows: async (numbers: readonly number[]): Promise<AssetRow[]> => {
      const names = (await read(numbers)).map((member) => keys.assetKey(tenantKey, decodeMember(member)));
      return (await readReferenced(snapshot, names)) as AssetRow[];
    },
  };
};

/** The assets that the reader sees and that meet the query, as a list of another tenant's members. */
export const toSharedAssetList = (snapshot: Snapshot, visible: VisibleAssets, query: AssetQuery): MemberList<Asset> => {
  const { readRows, ...positions } = createAssetMembers(snapshot, visible.tenantKey);
  return {
    select: (to, from = 0) => selectSharedAssets(snapshot, visible, query, { from, to, isNewestFirst: true }),
    readCount: () => readCount(snapshot, { tenantKey: visible.tenantKey, collection: 'assets' }),
    ...positions,
    readItems: async (numbers) => restrictRows(visible, await readRows(numbers)),
  };
};
