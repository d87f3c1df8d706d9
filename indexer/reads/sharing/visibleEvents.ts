// Which events of a tenant a reader sees: those of assets that it sees, of the display types that are granted for them.
import type { AttributeFilter } from '../../ledgerView.ts';
import { type Bits, filterBits, hasBit, toChunk, toLow } from '../../rows/bits.ts';
import type { Snapshot } from '../../snapshots.ts';
import type { FilterTerms } from '../selection/conditions.ts';
import { readAssetsOfChunk } from '../selection/fullChunks.ts';
import type { SelectedChunk } from '../selection/selection.ts';
import { createReadTypes } from './eventTypes.ts';
import { isMetByTerms, readMeetingAssets, readTermBits, toRestrictedTerms } from './restrictedTerms.ts';
import { type VisibleAssets, visibleAttribute } from './visibleAssets.ts';
import type { VisibleChunk } from './visibleChunk.ts';

/** Conditions on events that depend on what the reader sees of their assets. */
export interface VisibleEventQuery {
  /** On the attributes that an event sets. */
  readonly ofEvents: readonly FilterTerms[];
  /** On the attributes that its asset has now. */
  readonly ofAssets: readonly FilterTerms[];
}

/** The conditions of filters. */
export const toVisibleEventQuery = (attributes: readonly AttributeFilter[]): VisibleEventQuery => {
  const of = (map: string): AttributeFilter[] => attributes.filter((filter) => filter.map === map);
  return {
    ofEvents: toRestrictedTerms('events', of('asset_attributes')),
    ofAssets: toRestrictedTerms(
      'assets',
      of('asset.attributes').map((filter) => ({ ...filter, map: 'attributes' })),
    ),
  };
};

/** What is decided of the events of the assets of one chunk of assets. */
export interface AssetChunk {
  /** The assets that meet the conditions on assets. */
  readonly meeting: Bits;
  readonly visible: VisibleChunk;
  /** The assets of which the attribute of each term of each of `ofEvents` is visible. */
  readonly readable: readonly (readonly Bits[])[];
}

const readAssetChunk = async (
  snapshot: Snapshot,
  visible: VisibleAssets,
  { ofEvents, ofAssets }: VisibleEventQuery,
  chunk: number,
): Promise<AssetChunk> => {
  const found = await visible.read(chunk);
  return {
    meeting: await readMeetingAssets(snapshot, visible, ofAssets, chunk),
    visible: found,
    readable: ofEvents.map(({ terms }) => terms.map(({ name }) => visibleAttribute(visible, found, name))),
  };
};

/** Reads what is decided of the assets of a chunk. */
export type ReadAssetChunk = (chunk: number) => Promise<AssetChunk>;

/** Returns the function that reads what is decided of the assets of a chunk, each once. */
export const createReadAssetChunk = (
  snapshot: Snapshot,
  visible: VisibleAssets,
  query: VisibleEventQuery,
): ReadAssetChunk => {
  const chunks = new Map<number, Promise<AssetChunk>>();
  return (chunk) => {
    const known = chunks.get(chunk) ?? readAssetChunk(snapshot, visible, query, chunk);
    chunks.set(chunk, known);
    return known;
  };
};

const chunksOf = (assets: Uint32Array, bits: Bits): Set<number> => {
  const chunks = new Set<number>();
  let last: number | undefined;
  filterBits(bits, (low) => {
    const chunk = toChunk(assets[low]!);
    if (chunk !== last) chunks.add(chunk);
    last = chunk;
    return true;
  });
  return chunks;
};

const isVisibleType = ({ everyType, ofType }: VisibleChunk, asset: number, type: number): boolean =>
  hasBit(everyType, asset) || (type > 0 && hasBit(ofType[type - 1]!, asset));

/** Returns the function that removes from events of a chunk those that the reader doesn't see, or that don't meet. */
export const createKeepVisible = (
  snapshot: Snapshot,
  visible: VisibleAssets,
  query: VisibleEventQuery,
  readAssets: ReadAssetChunk,
) => {
  const { tenantKey } = visible;
  const readTypes = createReadTypes(snapshot, tenantKey, visible.set.types);
  return async ({ chunk, bits }: SelectedChunk): Promise<void> => {
    const [assets, types] = await Promise.all([readAssetsOfChunk(snapshot, tenantKey, chunk), readTypes(chunk)]);
    const assetChunks: AssetChunk[] = [];
    for (const of of chunksOf(assets, bits)) assetChunks[of] = await readAssets(of);
    filterBits(bits, (low) => {
      const asset = assets[low]!;
      const { meeting, visible: seen } = assetChunks[toChunk(asset)]!;
      return hasBit(meeting, toLow(asset)) && isVisibleType(seen, toLow(asset), types[low]!);
    });
    for (const [at, filter] of query.ofEvents.entries()) {
      // What has the only term of a filter needs no look at its list.
      const names = isMetByTerms(filter) ? [] : filter.terms.map(({ term }) => term);
      const lists = await readTermBits(snapshot, tenantKey, names, chunk);
      filterBits(bits, (low) => {
        const readable = assetChunks[toChunk(assets[low]!)]!.readable[at]!;
        const isMet = readable.some(
          (seen, place) => hasBit(seen, toLow(assets[low]!)) && (lists.length === 0 || hasBit(lists[place]!, low)),
        );
        return isMet !== filter.isDenied;
      });
    }
  };
};
