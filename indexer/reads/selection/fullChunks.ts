// What reads keep in memory of full chunks of events. All numbers of a full chunk are taken, and the terms, times and
// asset of an event never change, so what is computed from full chunks stays true until the index is wiped.
import { type BoundedMap, createBoundedMap } from '../../boundedMap.ts';
import * as keys from '../../keys.ts';
import { allBelow, CHUNK_NUMBERS, keepRange, toChunk, toNumber } from '../../rows/bits.ts';
import { decodeZone, type Zone } from '../../rows/columns.ts';
import type { Snapshot } from '../../snapshots.ts';
import { readColumn } from './readColumn.ts';

/** What the first `chunks` chunks have of a selection. */
export interface KnownMembers {
  readonly chunks: number;
  readonly count: number;
  /** The numbers of the newest of these members, newest first. */
  readonly newest: readonly number[];
}

/** How many events of each asset, by its number, the first `chunks` chunks have. */
interface EventsOfAssets {
  chunks: number;
  counts: Uint32Array;
}

/** The asset numbers of the events of a chunk that have lower numbers than `events`. */
interface KnownAssets {
  readonly events: number;
  readonly values: Promise<Uint32Array>;
}

interface FullChunks {
  /** By the chunk, which need not be full. */
  readonly assets: BoundedMap<KnownAssets>;
  readonly eventsOfAssets: BoundedMap<EventsOfAssets>;
  readonly zones: BoundedMap<Zone>;
  /** By the selection. */
  readonly members: BoundedMap<KnownMembers>;
}

/** Bytes of asset numbers: those of 2 million events at least. */
const ASSETS_BYTES_MAX = 16 * 2 ** 20;
/** Bytes of counts by asset: those of a tenant with 2 million assets at most. */
const EVENTS_OF_ASSETS_BYTES_MAX = 16 * 2 ** 20;
/** Bytes of what is known of selections, about: at least 1,500 selections. */
const MEMBERS_BYTES_MAX = 4 * 2 ** 20;

/** Bytes of zones: those of 150 million events at least. */
const ZONES_BYTES_MAX = 16 * 2 ** 20;
const ZONE_BYTES = 200;

const createFullChunks = (): FullChunks => ({
  zones: createBoundedMap(ZONES_BYTES_MAX),
  assets: createBoundedMap(ASSETS_BYTES_MAX),
  eventsOfAssets: createBoundedMap(EVENTS_OF_ASSETS_BYTES_MAX),
  members: createBoundedMap(MEMBERS_BYTES_MAX),
});

const byGeneration = new WeakMap<object, FullChunks>();

const fullChunksOf = ({ generation }: Snapshot): FullChunks => {
  const known = byGeneration.get(generation) ?? createFullChunks();
  byGeneration.set(generation, known);
  return known;
};

const countEvents = (snapshot: Snapshot, tenantKey: Uint8Array): number =>
  (snapshot.read(keys.counterKey(tenantKey, 'events')) as number | undefined) ?? 0;

/** The number of full chunks of events: the chunks below it are full. */
export const countFullChunks = (snapshot: Snapshot, tenantKey: Uint8Array): number =>
  toChunk(countEvents(snapshot, tenantKey));

/** What is known of a selection in full chunks, if this snapshot has these chunks. */
export const findMembers = (snapshot: Snapshot, selection: string, fullChunks: number): KnownMembers | undefined => {
  const known = fullChunksOf(snapshot).members.get(selection);
  return known !== undefined && known.chunks <= fullChunks ? known : undefined;
};

/** Keeps what is known of a selection in full chunks. `weight`: its bytes, about. */
export const keepMembers = (snapshot: Snapshot, selection: string, known: KnownMembers, weight: number): void =>
  fullChunksOf(snapshot).members.set(selection, known, weight);

// The asset numbers of the events of a chunk up to `events`, of which those of `known` are known.
const readAssets = async (
  snapshot: Snapshot,
  { tenantKey, chunk, events }: { readonly tenantKey: Uint8Array; readonly chunk: number; readonly events: number },
  known: KnownAssets | undefined,
): Promise<Uint32Array> => {
  const bits = allBelow(chunk, events);
  if (known !== undefined) keepRange(bits, chunk, known.events, events);
  const values = (await readColumn(snapshot, tenantKey, { chunk, bits }, 'asset')) as Uint32Array;
  if (known !== undefined) values.set((await known.values).subarray(0, known.events - toNumber(chunk, 0)));
  return values;
};

/**
 * The asset numbers of the events of a chunk, by the low part of their numbers. Must not be changed. The asset of an
 * event never changes, so of a chunk that is not full only those of later events are read again.
 */
export const readAssetsOfChunk = (snapshot: Snapshot, tenantKey: Uint8Array, chunk: number): Promise<Uint32Array> => {
  const { assets } = fullChunksOf(snapshot);
  const key = `${keys.toKeyName(tenantKey)} ${chunk}`;
  const events = Math.min(countEvents(snapshot, tenantKey), toNumber(chunk + 1, 0));
  const known = assets.get(key);
  if (known !== undefined && known.events >= events) return known.values;
  const values = readAssets(snapshot, { tenantKey, chunk, events }, known);
  assets.set(key, { events, values }, CHUNK_NUMBERS * Uint32Array.BYTES_PER_ELEMENT);
  values.catch(() => assets.delete(key));
  return values;
};

/** Returns the function that reads the zone of a chunk of events, which must exist. */
export const createReadZone = (snapshot: Snapshot, tenantKey: Uint8Array): ((chunk: number) => Zone) => {
  const { zones } = fullChunksOf(snapshot);
  const fullChunks = countFullChunks(snapshot, tenantKey);
  const tenant = keys.toKeyName(tenantKey);
  return (chunk) => {
    const key = `${tenant} ${chunk}`;
    const known = chunk < fullChunks ? zones.get(key) : undefined;
    if (known !== undefined) return known;
    const zone = decodeZone(snapshot.read(keys.zoneKey(tenantKey, chunk)) as Uint8Array);
    if (chunk < fullChunks) zones.set(key, zone, ZONE_BYTES);
    return zone;
  };
};

const addChunk = (known: EventsOfAssets, assets: Uint32Array): void => {
  let { counts } = known;
  for (const asset of assets) {
    if (asset >= counts.length) {
      const longer = new Uint32Array(2 * asset + 1);
      longer.set(counts);
      counts = longer;
    }
    counts[asset]! += 1;
  }
  Object.assign(known, { counts, chunks: known.chunks + 1 });
};

/**
 * How many events of each asset, by its number, the full chunks have; undefined if newer snapshots have counted more
 * chunks than this one has. Must not be changed.
 */
export const readEventsOfAssets = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  fullChunks: number,
): Promise<Uint32Array | undefined> => {
  const { eventsOfAssets } = fullChunksOf(snapshot);
  const tenant = keys.toKeyName(tenantKey);
  const known = eventsOfAssets.get(tenant) ?? { chunks: 0, counts: new Uint32Array(0) };
  eventsOfAssets.set(tenant, known, known.counts.byteLength);
  while (known.chunks < fullChunks) {
    const chunk = known.chunks;
    const assets = await readAssetsOfChunk(snapshot, tenantKey, chunk);
    // Another read may have added the chunk meanwhile.
    if (known.chunks === chunk) addChunk(known, assets);
  }
  eventsOfAssets.set(tenant, known, known.counts.byteLength);
  return known.chunks === fullChunks ? known.counts : undefined;
};
