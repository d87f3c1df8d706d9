// The events that create assets. Ordered by acceptance, assets are in the order of these events, because an asset is
// accepted with its creation.
import { toKey } from '../../ledger/identity.ts';
import * as keys from '../keys.ts';
import { fieldTerm } from '../projection/terms/termNames.ts';
import { type Bits, hasAny, keepRange } from '../rows/bits.ts';
import type { AssetRow } from '../rows/rows.ts';
import type { Snapshot } from '../snapshots.ts';
import { findBefore } from './datedEvents.ts';
import type { AssetSource, MatchingAssets } from './matchingAssets.ts';
import type { NewestList } from './newestPage.ts';
import { readAssetRow, readMembers } from './recordReads.ts';
import { toAssetFlags } from './selection/eventColumns.ts';
import { acceptedUntil, type SelectedChunk, type Selection, select } from './selection/selection.ts';

/** The term of events that create assets. */
export const CREATION = fieldTerm('events', 'operation', 'NewAsset');

const selectFrom = async (matching: MatchingAssets, from: number): Promise<ReadonlyMap<number, Bits>> => {
  const assets = new Map<number, Bits>();
  for await (const { chunk, bits } of matching.select(Number.POSITIVE_INFINITY, from)) {
    keepRange(bits, chunk, from, Number.POSITIVE_INFINITY);
    if (hasAny(bits)) assets.set(chunk, bits);
  }
  return assets;
};

// The number of the event that created an asset: those of later assets have higher ones.
const readCreationNumber = async (snapshot: Snapshot, tenantKey: Uint8Array, asset: number): Promise<number> => {
  const members = { tenantKey, collection: 'assets', numbers: [asset] } as const;
  const [row] = (await readMembers(snapshot, members, keys.assetKey)) as AssetRow[];
  return row!.creationNumber;
};

/**
 * Selects the events of the index that create the matching assets, of those with a number of at least `from`, that were
 * accepted at `untilMs` or before it.
 */
export const selectCreations = async function* (
  { snapshot, tenantIdentity }: AssetSource,
  matching: MatchingAssets,
  { from = 0, untilMs }: { readonly from?: number; readonly untilMs?: number } = {},
): AsyncGenerator<SelectedChunk> {
  const tenantKey = toKey(tenantIdentity);
  const assets = await selectFrom(matching, from);
  if (assets.size === 0) return;
  const selection: Selection = {
    tenantKey,
    collection: 'events',
    conditions: { all: [CREATION], none: [] },
    columns: { times: [], ofAssets: toAssetFlags(assets) },
  };
  const first = from === 0 ? 0 : await readCreationNumber(snapshot, tenantKey, from);
  const numbers = { from: first, to: Number.POSITIVE_INFINITY, isNewestFirst: false };
  yield* select(snapshot, untilMs === undefined ? selection : acceptedUntil(selection, untilMs), numbers);
};

/** Finds the assets of the index that match, by the acceptance of their creations, as a list of assets needs it. */
export const createFindCommittedAssets =
  (source: AssetSource, matching: MatchingAssets): NewestList<never>['findCommitted'] =>
  async (from, before, countMax) => {
    const { snapshot, tenantIdentity } = source;
    const selected = selectCreations(source, matching, { from, untilMs: before.atMs });
    const dated = { snapshot, tenantIdentity, tenantKey: toKey(tenantIdentity) };
    const found = await findBefore(dated, selected, before, countMax);
    return found.map(({ event: { timestamp_accepted, asset_identity: identity } }) => ({
      place: { atMs: Date.parse(timestamp_accepted), identity },
      number: readAssetRow(snapshot, { tenantIdentity, identity })!.number,
    }));
  };
