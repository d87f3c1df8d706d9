// Which assets of a tenant a reader may see, and which of their attributes, by the grants that the reader has.
import { type Grant, includesName, type Names } from '../../../ledger/sharing/grants.ts';
import * as keys from '../../keys.ts';
import { type Bits, CHUNK_NUMBERS, createBits, hasBit, toChunk, toLow, unite } from '../../rows/bits.ts';
import type { Snapshot } from '../../snapshots.ts';
import { createGenerationCache } from '../generationCache.ts';
import { createMatchAssets, readAssetChange } from './matchedAssets.ts';

/** The assets of one chunk that a reader may see. */
export interface VisibleChunk {
  /** All of them. */
  readonly all: Bits;
  /** Those of each grant, in the order of the grants. */
  readonly byGrant: readonly Bits[];
  /** Those of which events of every display type are granted. */
  readonly everyType: Bits;
  /** Those of which events of each of `types` are granted. */
  readonly ofType: readonly Bits[];
}

/** The assets of one tenant that a reader may see. */
export interface VisibleAssets {
  readonly tenantIdentity: string;
  readonly tenantKey: Uint8Array;
  readonly grants: readonly Grant[];
  /** The display types that grants name, each once. */
  readonly types: readonly string[];
  /** Reads the assets of a chunk, once. They must not be changed. */
  read(chunk: number): Promise<VisibleChunk>;
  /** The names of attributes that were found for an asset, by its number. */
  readonly namesOf: Map<number, Names>;
}

const uniteAll = (sets: readonly Bits[]): Bits => {
  const all = createBits();
  for (const bits of sets) unite(all, bits);
  return all;
};

const uniteWhere = (grants: readonly Grant[], byGrant: readonly Bits[], isGranted: (grant: Grant) => boolean): Bits =>
  uniteAll(byGrant.filter((_, at) => isGranted(grants[at]!)));

interface KnownChunk {
  /** The row `assetChanges` of the chunk when it was computed. */
  readonly changedBy: number;
  readonly visible: VisibleChunk;
}

/** Bytes of what is kept, about: 64 chunks for a reader with 100 grants of 10 types. */
const KEPT_BYTES_MAX = 64 * 2 ** 20;
const BITS_BYTES = CHUNK_NUMBERS / 8 + 100;

const keptOf = createGenerationCache<KnownChunk>(KEPT_BYTES_MAX);

let numbered = 0;
const numbers = new WeakMap<Grant, number>();

// A number for the same grant object: the grants of a tenant are read again only when one changes.
const numberOf = (grant: Grant): number => {
  const known = numbers.get(grant);
  if (known !== undefined) return known;
  numbered += 1;
  numbers.set(grant, numbered);
  return numbered;
};

const namedTypes = (grants: readonly Grant[]): string[] => [
  ...new Set(grants.flatMap(({ typesRead }) => (typesRead === 'all' ? [] : [...typesRead]))),
];

// The work grows with the names in all grants, not with types times grants.
const uniteByType = (grants: readonly Grant[], types: readonly string[], byGrant: readonly Bits[]): Bits[] => {
  const ofType = new Map(types.map((type) => [type, createBits()]));
  for (const [at, { typesRead }] of grants.entries()) {
    if (typesRead !== 'all') for (const type of typesRead) unite(ofType.get(type)!, byGrant[at]!);
  }
  return types.map((type) => ofType.get(type)!);
};

const toVisibleChunk = (
  { grants, types }: Pick<VisibleAssets, 'grants' | 'types'>,
  byGrant: readonly Bits[],
): VisibleChunk => ({
  all: uniteAll(byGrant),
  byGrant,
  everyType: uniteWhere(grants, byGrant, ({ typesRead }) => typesRead === 'all'),
  ofType: uniteByType(grants, types, byGrant),
});

const createReadChunk = (
  snapshot: Snapshot,
  opened: Pick<VisibleAssets, 'tenantKey' | 'grants' | 'types'>,
): VisibleAssets['read'] => {
  const { tenantKey, grants, types } = opened;
  const kept = keptOf(snapshot);
  const name = `${keys.toKeyName(tenantKey)} ${grants.map(numberOf).join()}`;
  const weight = BITS_BYTES * (grants.length + types.length + 2) + 2 * name.length;
  const match = createMatchAssets(
    snapshot,
    tenantKey,
    grants.map(({ filters }) => filters),
  );
  return async (chunk) => {
    const changedBy = readAssetChange(snapshot, tenantKey, chunk);
    const known = kept.get(`${chunk} ${name}`);
    if (known?.changedBy === changedBy) return known.visible;
    const visible = toVisibleChunk(opened, await match(chunk));
    kept.set(`${chunk} ${name}`, { changedBy, visible }, weight);
    return visible;
  };
};

/** The assets in a snapshot that grants make visible. What is found is kept in memory until it changes. */
export const openVisibleAssets = (
  snapshot: Snapshot,
  { tenantIdentity, tenantKey, grants }: Pick<VisibleAssets, 'tenantIdentity' | 'tenantKey' | 'grants'>,
): VisibleAssets => {
  const types = namedTypes(grants);
  const readChunk = createReadChunk(snapshot, { tenantKey, grants, types });
  const chunks = new Map<number, Promise<VisibleChunk>>();
  const read = (chunk: number): Promise<VisibleChunk> => {
    const known = chunks.get(chunk) ?? readChunk(chunk);
    chunks.set(chunk, known);
    return known;
  };
  return { tenantIdentity, tenantKey, grants, types, read, namesOf: new Map() };
};

/** The assets of a chunk whose attribute with this name the reader may see. */
export const visibleAttribute = ({ grants }: VisibleAssets, { byGrant }: VisibleChunk, name: string): Bits =>
  uniteWhere(grants, byGrant, ({ attributesRead }) => includesName(attributesRead, name));

/** What lists of names have together. */
export const uniteNames = (lists: readonly Names[]): Names => {
  if (lists.includes('all')) return 'all';
  return new Set(lists.flatMap((names) => (names === 'all' ? [] : [...names])));
};

/** The names of the attributes of an asset, by its number, that the reader may see. */
export const readableNames = async (visible: VisibleAssets, assetNumber: number): Promise<Names> => {
  const known = visible.namesOf.get(assetNumber);
  if (known !== undefined) return known;
  const { byGrant } = await visible.read(toChunk(assetNumber));
  const low = toLow(assetNumber);
  const names = uniteNames(
    visible.grants.filter((_, at) => hasBit(byGrant[at]!, low)).map(({ attributesRead }) => attributesRead),
  );
  visible.namesOf.set(assetNumber, names);
  return names;
};
