// The assets of one chunk that a reader may see, by its grants: computed of what the filters match, or, after changes
// of few assets, of what was computed before.
import { type Bits, createBits, hasBit, setBit, toLow, unite } from '../../rows/bits.ts';
import type { AssetRow } from '../../rows/rows.ts';
import { type GrantSet, matchFilters } from './grantSet.ts';

/** The assets of one chunk that a reader may see. */
export interface VisibleChunk {
  /** All of them. */
  readonly all: Bits;
  /** Those that each filter matches, in the order of the set's filters. */
  readonly byFilter: readonly Bits[];
  /** Those of which the attributes of each list of names are granted, in the order of the set's lists. */
  readonly byNames: readonly Bits[];
  /** Those of which events of every display type are granted. */
  readonly everyType: Bits;
  /** Those of which events of each of the set's types are granted. */
  readonly ofType: readonly Bits[];
}

/** The chunk by the assets that each filter of the set matches. The work grows with the names in all grants. */
export const toVisibleChunk = (
  { types, nameLists, kinds, parts }: GrantSet,
  byFilter: readonly Bits[],
): VisibleChunk => {
  const [all, everyType] = [createBits(), createBits()];
  const byNames = nameLists.map(createBits);
  const ofType = types.map(createBits);
  const byKind = kinds.map(createBits);
  for (const { filter, kind } of parts) unite(byKind[kind]!, byFilter[filter]!);
  for (const [at, kind] of kinds.entries()) {
    const bits = byKind[at]!;
    unite(all, bits);
    unite(byNames[kind.nameList]!, bits);
    if (kind.types === 'all') unite(everyType, bits);
    else for (const type of kind.types) unite(ofType[type]!, bits);
  }
  return { all, byFilter, byNames, everyType, ofType };
};

// The set itself if it says so of the low part already, else a changed copy.
const withBit = (bits: Bits, low: number, isIn: boolean): Bits => {
  if (hasBit(bits, low) === isIn) return bits;
  const changed = bits.slice();
  if (isIn) setBit(changed, low);
  else changed[low >>> 5]! &= ~(1 << (low & 31));
  return changed;
};

const changeAsset = (
  { kinds, parts }: GrantSet,
  chunk: VisibleChunk,
  { low, matches }: { readonly low: number; readonly matches: readonly boolean[] },
): VisibleChunk => {
  const [names, types] = [new Set<number>(), new Set<number>()];
  let hasEveryType = false;
  for (const { filter, kind } of parts) {
    if (!matches[filter]!) continue;
    const { nameList, types: ofKind } = kinds[kind]!;
    names.add(nameList);
    if (ofKind === 'all') hasEveryType = true;
    else for (const type of ofKind) types.add(type);
  }
  return {
    all: withBit(chunk.all, low, matches.includes(true)),
    byFilter: chunk.byFilter.map((bits, at) => withBit(bits, low, matches[at]!)),
    byNames: chunk.byNames.map((bits, at) => withBit(bits, low, names.has(at))),
    everyType: withBit(chunk.everyType, low, hasEveryType),
    ofType: chunk.ofType.map((bits, at) => withBit(bits, low, types.has(at))),
  };
};

/** The chunk after changes of these of its assets: the same object if they change nothing of it. */
export const changeVisibleChunk = (set: GrantSet, before: VisibleChunk, assets: readonly AssetRow[]): VisibleChunk => {
  let chunk = before;
  for (const { number, state } of assets) {
    const low = toLow(number);
    const matches = matchFilters(set, state.attributes);
    const isSame = chunk.byFilter.every((bits, at) => hasBit(bits, low) === matches[at]);
    if (!isSame) chunk = changeAsset(set, chunk, { low, matches });
  }
  return chunk;
};
