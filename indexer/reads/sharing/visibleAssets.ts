// Which assets of a tenant a reader may see, and which of their attributes, by the grants that the reader has.
import { includesName, type Names } from '../../../ledger/sharing/grants.ts';
import * as keys from '../../keys.ts';
import { type Bits, CHUNK_NUMBERS, createBits, hasBit, toChunk, toLow, unite } from '../../rows/bits.ts';
import type { Snapshot } from '../../snapshots.ts';
import { createGenerationCache } from '../generationCache.ts';
import { readAssetChange, readChangedSince } from './changedAssets.ts';
import { type GrantSet, toGrantSet } from './grantSet.ts';
import { createMatchAssets } from './matchedAssets.ts';
import type { OwnerGrants } from './readerGrants.ts';
import { changeVisibleChunk, toVisibleChunk, type VisibleChunk } from './visibleChunk.ts';

/** The assets of one tenant that a reader may see. */
export interface VisibleAssets {
  readonly tenantIdentity: string;
  readonly tenantKey: Uint8Array;
  readonly set: GrantSet;
  /** Reads the assets of a chunk, once. They must not be changed. */
  read(chunk: number): Promise<VisibleChunk>;
  /** What lists of names have together, by the places of the lists. */
  readonly unions: Map<string, Names>;
}

interface KnownChunk {
  /** The row `assetChanges` of the chunk when it was computed. */
  readonly changedBy: number;
  readonly visible: VisibleChunk;
}

/** Bytes of what is kept, about: 64 chunks for a reader with 100 grants of 10 types. */
const KEPT_BYTES_MAX = 64 * 2 ** 20;
const BITS_BYTES = CHUNK_NUMBERS / 8 + 100;

const keptOf = createGenerationCache<KnownChunk>(KEPT_BYTES_MAX);

const createReadChunk = (snapshot: Snapshot, tenantKey: Uint8Array, set: GrantSet): VisibleAssets['read'] => {
  const kept = keptOf(snapshot);
  const weight = BITS_BYTES * (set.filters.length + set.nameLists.length + set.types.length + 2);
  const change = async (chunk: number, known: KnownChunk, changedBy: number): Promise<VisibleChunk | undefined> => {
    const assets = await readChangedSince(snapshot, { tenantKey, chunk }, { after: known.changedBy, to: changedBy });
    return assets && changeVisibleChunk(set, known.visible, assets);
  };
  return async (chunk) => {
    const name = `${keys.toKeyName(tenantKey)} ${set.id} ${chunk}`;
    const changedBy = readAssetChange(snapshot, tenantKey, chunk);
    const known = kept.get(name);
    if (known?.changedBy === changedBy) return known.visible;
    const changed = known && (await change(chunk, known, changedBy));
    const visible = changed ?? toVisibleChunk(set, await createMatchAssets(snapshot, tenantKey, set.filters)(chunk));
    kept.set(name, { changedBy, visible }, weight);
    return visible;
  };
};

/** The assets in a snapshot that grants make visible. What is found is kept in memory until it changes. */
export const openVisibleAssets = (
  snapshot: Snapshot,
  { tenantIdentity, tenantKey, grants }: OwnerGrants,
): VisibleAssets => {
  const set = toGrantSet(grants);
  const readChunk = createReadChunk(snapshot, tenantKey, set);
  const chunks = new Map<number, Promise<VisibleChunk>>();
  const read = (chunk: number): Promise<VisibleChunk> => {
    const known = chunks.get(chunk) ?? readChunk(chunk);
    chunks.set(chunk, known);
    return known;
  };
  return { tenantIdentity, tenantKey, set, read, unions: new Map() };
};

/** The assets of a chunk whose attribute with this name the reader may see. */
export const visibleAttribute = ({ set }: VisibleAssets, { byNames }: VisibleChunk, name: string): Bits => {
  const seen = createBits();
  for (const [at, names] of set.nameLists.entries()) if (includesName(names, name)) unite(seen, byNames[at]!);
  return seen;
};

/** What lists of names have together. */
export const uniteNames = (lists: readonly Names[]): Names => {
  if (lists.includes('all')) return 'all';
  return new Set(lists.flatMap((names) => (names === 'all' ? [] : [...names])));
};

const namesOf = ({ set, unions }: VisibleAssets, { byNames }: VisibleChunk, low: number): Names => {
  const places: number[] = [];
  for (let at = 0; at < byNames.length; at += 1) if (hasBit(byNames[at]!, low)) places.push(at);
  const name = places.join();
  const known = unions.get(name) ?? uniteNames(places.map((at) => set.nameLists[at]!));
  unions.set(name, known);
  return known;
};

/** The names of the attributes that the reader may see of assets, by the numbers of these, in the same order. */
export const readNames = async (visible: VisibleAssets, assetNumbers: readonly number[]): Promise<Names[]> => {
  const chunks: VisibleChunk[] = [];
  for (const chunk of new Set(assetNumbers.map(toChunk))) chunks[chunk] = await visible.read(chunk);
  return assetNumbers.map((number) => namesOf(visible, chunks[toChunk(number)]!, toLow(number)));
};
