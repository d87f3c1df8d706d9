// Pages of locations in the order of their names: a range of the index's names, with uncommitted versions at their places.
import { toUuid } from '../ledger/identity.ts';
import type { LocationResource } from '../ledger/resources.ts';
import { type Bits, countBits, hasBit, lowsOf, toChunk, toLow, toNumber } from './bits.ts';
import * as keys from './keys.ts';
import type { Page, PageQuery } from './ledgerView.ts';
import { type LocationList, numbersOf, readItems, selectIndexed } from './locationReads.ts';
import { toNumberSet, withOverlay } from './overlay.ts';

// A place in the order of names: a location of the index by its number, or an uncommitted one.
interface Named {
  readonly nameKey: Buffer;
  readonly of: number | LocationResource;
}

/** Names that are read together. */
const NAMES = 256;
const NO_NUMBERS: ReadonlyMap<number, Bits> = new Map();

// The index's locations that meet the conditions and have no uncommitted version.
const readSelected = async (list: LocationList): Promise<Map<number, Bits>> => {
  const overlay = { changed: toNumberSet(numbersOf(list.changed)), matching: NO_NUMBERS };
  const selected = new Map<number, Bits>();
  for await (const { chunk, bits } of withOverlay(selectIndexed(list, Number.POSITIVE_INFINITY), overlay)) {
    selected.set(chunk, bits);
  }
  return selected;
};

const findIndexed = async (
  { source, tenantKey }: LocationList,
  selected: ReadonlyMap<number, Bits>,
  after: Buffer | undefined,
  wanted: number,
): Promise<Named[]> => {
  const found: Named[] = [];
  const isSelected = (number: number): boolean => {
    const bits = selected.get(toChunk(number));
    return bits !== undefined && hasBit(bits, toLow(number));
  };
  let from = after;
  for (let isLast = false; !isLast && found.length < wanted; ) {
    const entries = await source.snapshot.readFirst(keys.locationNameRange(tenantKey, from), NAMES);
    const numbers = entries.map(([nameKey, number]) => ({ nameKey, of: number as number }));
    found.push(...numbers.filter(({ of }) => isSelected(of)));
    isLast = entries.length < NAMES;
    from = entries.at(-1)?.[0];
  }
  return found.slice(0, wanted);
};

const toNamed = ({ tenantKey }: LocationList, location: LocationResource): Named => ({
  nameKey: keys.locationNameKey(tenantKey, location.display_name, toUuid(location.identity)),
  of: location,
});

const toWaiting = (list: LocationList, after: Buffer | undefined): Named[] =>
  list.matching
    .map(({ location }) => toNamed(list, location))
    .filter(({ nameKey }) => after === undefined || Buffer.compare(nameKey, after) > 0);

const toLocations = async (list: LocationList, named: readonly Named[]): Promise<LocationResource[]> => {
  const numbers = named.map(({ of }) => of).filter((of) => typeof of === 'number');
  const read = await readItems(list, numbers);
  return named.map(({ of }) => (typeof of === 'number' ? read[numbers.indexOf(of)]! : of));
};

// Few of them are sorted; many are looked for in the order of names, where the next one is near.
const SORTED_MAX = 400;

const sortIndexed = async (
  list: LocationList,
  selected: ReadonlyMap<number, Bits>,
  after: Buffer | undefined,
): Promise<Named[]> => {
  const numbers = [...selected].flatMap(([chunk, bits]) => lowsOf(bits).map((low) => toNumber(chunk, low)));
  const named = (await readItems(list, numbers)).map((location) => toNamed(list, location));
  return named.filter(({ nameKey }) => after === undefined || Buffer.compare(nameKey, after) > 0);
};

/** One page, by name and then by identity. */
export const readPageByName = async (list: LocationList, page: PageQuery): Promise<Page<LocationResource>> => {
  const after = page.after === undefined ? undefined : Buffer.from(page.after, 'base64');
  const selected = await readSelected(list);
  const count = [...selected.values()].reduce((sum, bits) => sum + countBits(bits), 0);
  const indexed =
    count <= SORTED_MAX
      ? await sortIndexed(list, selected, after)
      : await findIndexed(list, selected, after, page.limit + 1);
  const sorted = [...indexed, ...toWaiting(list, after)].sort((a, b) => Buffer.compare(a.nameKey, b.nameKey));
  const shown = sorted.slice(0, page.limit);
  return {
    items: await toLocations(list, shown),
    next: sorted.length > page.limit ? shown.at(-1)!.nameKey.toString('base64') : undefined,
    total: page.isCounted ? count + list.matching.length : undefined,
  };
};
