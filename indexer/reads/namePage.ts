// Pages of a named collection ordered by name: a range of the index's names, with the uncommitted versions in their
// positions.
import { toUuid } from '../../ledger/identity.ts';
import * as keys from '../keys.ts';
import type { Page, PageQuery } from '../ledgerView.ts';
import type { Named } from '../projection/namedCollections.ts';
import { type Bits, countBits, hasBit, lowsOf, toChunk, toLow, toNumber } from '../rows/bits.ts';
import type { NamedRecord } from '../rows/rows.ts';
import { type NamedList, numbersOf, readItems, selectIndexed } from './namedList.ts';
import { toNumberSet, withOverlay } from './overlay.ts';

// A position in the order of names, taken by a member of the index (its number) or an uncommitted one.
interface NamedPlace<T extends Named> {
  readonly nameKey: Buffer;
  readonly of: number | T;
}

/** Names of one read. */
const NAMES = 256;
const NO_NUMBERS: ReadonlyMap<number, Bits> = new Map();

// The members of the index that meet the conditions and have no uncommitted version.
const readSelected = async <R extends NamedRecord, T extends Named>(
  list: NamedList<R, T>,
): Promise<Map<number, Bits>> => {
  const overlay = { changed: toNumberSet(numbersOf(list.changed)), matching: NO_NUMBERS };
  const selected = new Map<number, Bits>();
  for await (const { chunk, bits } of withOverlay(selectIndexed(list, Number.POSITIVE_INFINITY), overlay)) {
    selected.set(chunk, bits);
  }
  return selected;
};

const findIndexed = async <R extends NamedRecord, T extends Named>(
  { source, tenantKey }: NamedList<R, T>,
  selected: ReadonlyMap<number, Bits>,
  after: Buffer | undefined,
  countMax: number,
): Promise<NamedPlace<T>[]> => {
  const found: NamedPlace<T>[] = [];
  const isSelected = (number: number): boolean => {
    const bits = selected.get(toChunk(number));
    return bits !== undefined && hasBit(bits, toLow(number));
  };
  let from = after;
  for (let isLast = false; !isLast && found.length < countMax; ) {
    const entries = await source.snapshot.readFirst(keys.nameRange(tenantKey, source.of.collection, from), NAMES);
    const numbers = entries.map(([nameKey, number]) => ({ nameKey, of: number as number }));
    found.push(...numbers.filter(({ of }) => isSelected(of)));
    isLast = entries.length < NAMES;
    from = entries.at(-1)?.[0];
  }
  return found.slice(0, countMax);
};

const toPlace = <R extends NamedRecord, T extends Named>(
  { source, tenantKey }: NamedList<R, T>,
  resource: T,
): NamedPlace<T> => ({
  nameKey: keys.nameKey(tenantKey, source.of.collection, resource.display_name, toUuid(resource.identity)),
  of: resource,
});

const toWaiting = <R extends NamedRecord, T extends Named>(
  list: NamedList<R, T>,
  after: Buffer | undefined,
): NamedPlace<T>[] =>
  list.matching
    .map(({ resource }) => toPlace(list, resource))
    .filter(({ nameKey }) => after === undefined || Buffer.compare(nameKey, after) > 0);

const readPlaces = async <R extends NamedRecord, T extends Named>(
  list: NamedList<R, T>,
  places: readonly NamedPlace<T>[],
): Promise<T[]> => {
  const numbers = places.map(({ of }) => of).filter((of) => typeof of === 'number');
  const read = await readItems(list, numbers);
  return places.map(({ of }) => (typeof of === 'number' ? read[numbers.indexOf(of)]!() : of));
};

// Up to so many members are read and sorted; more are searched in the order of names, where the next one is near.
const SORTED_MAX = 400;

const sortIndexed = async <R extends NamedRecord, T extends Named>(
  list: NamedList<R, T>,
  selected: ReadonlyMap<number, Bits>,
  after: Buffer | undefined,
): Promise<NamedPlace<T>[]> => {
  const numbers = [...selected].flatMap(([chunk, bits]) => lowsOf(bits).map((low) => toNumber(chunk, low)));
  const places = (await readItems(list, numbers)).map((decode) => toPlace(list, decode()));
  return places.filter(({ nameKey }) => after === undefined || Buffer.compare(nameKey, after) > 0);
};

// The last member of a page, by what the order is made of.
interface NamePosition {
  readonly name: string;
  readonly identity: string;
}

const toNameKey = <R extends NamedRecord, T extends Named>(
  { source, tenantKey }: NamedList<R, T>,
  position: string,
) => {
  const { name, identity } = JSON.parse(position) as NamePosition;
  return keys.nameKey(tenantKey, source.of.collection, name, toUuid(identity));
};

const toPosition = ({ display_name: name, identity }: Named): string =>
  JSON.stringify({ name, identity } satisfies NamePosition);

/** One page, ordered by name and then by identity. */
export const readPageByName = async <R extends NamedRecord, T extends Named>(
  list: NamedList<R, T>,
  page: PageQuery,
): Promise<Page<T>> => {
  const after = page.position === undefined ? undefined : toNameKey(list, page.position);
  const selected = await readSelected(list);
  const count = [...selected.values()].reduce((sum, bits) => sum + countBits(bits), 0);
  const indexed =
    count <= SORTED_MAX
      ? await sortIndexed(list, selected, after)
      : await findIndexed(list, selected, after, page.limit + 1);
  const sorted = [...indexed, ...toWaiting(list, after)].sort((a, b) => Buffer.compare(a.nameKey, b.nameKey));
  const items = await readPlaces(list, sorted.slice(0, page.limit));
  return {
    items,
    nextPosition: sorted.length > page.limit ? toPosition(items.at(-1)!) : undefined,
    total: page.isCounted ? count + list.matching.length : undefined,
  };
};
