// The assets of another tenant that a reader sees, by the acceptance of their creations.
import { toKey } from '../../../ledger/identity.ts';
import * as keys from '../../keys.ts';
import type { AssetQuery } from '../../ledgerView.ts';
import type { Bits } from '../../rows/bits.ts';
import type { AssetRow } from '../../rows/rows.ts';
import type { Snapshot } from '../../snapshots.ts';
import { type AcceptedAssets, toCreationPlace } from '../assetPages.ts';
import { CREATION } from '../creations.ts';
import { readEvents } from '../recordReads.ts';
import { toAssetFlags } from '../selection/eventColumns.ts';
import { type SelectedChunk, select } from '../selection/selection.ts';
import { restrictRows, selectSharedAssets } from './sharedAssets.ts';
import type { VisibleAssets } from './visibleAssets.ts';

const EVERYTHING = { from: 0, to: Number.POSITIVE_INFINITY, isNewestFirst: false };

async function* selectCreations(
  snapshot: Snapshot,
  visible: VisibleAssets,
  query: AssetQuery,
): AsyncGenerator<SelectedChunk> {
  const assets = new Map<number, Bits>();
  for await (const { chunk, bits } of selectSharedAssets(snapshot, visible, query, EVERYTHING)) assets.set(chunk, bits);
  if (assets.size === 0) return;
  const selection = {
    tenantKey: visible.tenantKey,
    collection: 'events' as const,
    conditions: { all: [CREATION], none: [] },
    columns: { times: [], ofAssets: toAssetFlags(assets) },
  };
  yield* select(snapshot, selection, EVERYTHING);
}

/** The assets that the reader sees and that meet the query, by acceptance. */
export const toSharedCreations = (snapshot: Snapshot, visible: VisibleAssets, query: AssetQuery): AcceptedAssets => {
  const { tenantIdentity, tenantKey } = visible;
  return {
    list: {
      snapshot,
      tenantKey,
      uncommitted: [],
      readEvents: (numbers) => readEvents(snapshot, tenantIdentity, numbers),
      toPlace: toCreationPlace,
      selected: selectCreations(snapshot, visible, query),
    },
    readCreated: async (creations) => {
      const names = creations.map((event) => keys.assetKey(tenantKey, toKey(event.asset_identity)));
      const rows = (await snapshot.readMany(names)) as AssetRow[];
      return restrictRows(visible, rows);
    },
  };
};
