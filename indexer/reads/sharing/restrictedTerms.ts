// Filters on attributes that a reader may see of some records only: elsewhere the attribute counts as absent, so that
// no filter, order or count says anything of its value.
import * as keys from '../../keys.ts';
import type { AttributeFilter } from '../../ledgerView.ts';
import { type Bits, createBits, intersect, subtract, unite } from '../../rows/bits.ts';
import { decodePosting } from '../../rows/postings.ts';
import type { Snapshot } from '../../snapshots.ts';
import { type FilterTerms, toFilterTerms } from '../selection/conditions.ts';
import { type VisibleAssets, visibleAttribute } from './visibleAssets.ts';

/** The members of a chunk that have terms, in the order of the terms. */
export const readTermBits = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  terms: readonly string[],
  chunk: number,
): Promise<Bits[]> => {
  const rows = await snapshot.readMany(terms.map((term) => keys.postingKey(tenantKey, term, chunk)));
  return rows.map((row) => (row === undefined ? createBits() : decodePosting(row as Uint8Array)));
};

/** The terms of filters, by the names of the attributes that must be visible where they count. */
export const toRestrictedTerms = (collection: keys.Collection, filters: readonly AttributeFilter[]): FilterTerms[] =>
  filters.map((filter) => toFilterTerms(collection, filter));

/** The filters that every match meets by its terms. */
export const requiredOf = (filters: readonly FilterTerms[]): FilterTerms[] =>
  filters.filter(({ isDenied }) => !isDenied);

/** Whether a match of the terms meets a filter wherever its attribute is visible: it has one term, and is required. */
export const isMetByTerms = ({ terms, isDenied }: FilterTerms): boolean => !isDenied && terms.length === 1;

/** The visible assets of a chunk that meet the filters as far as the reader sees. */
export const readMeetingAssets = async (
  snapshot: Snapshot,
  visible: VisibleAssets,
  filters: readonly FilterTerms[],
  chunk: number,
): Promise<Bits> => {
  const found = await visible.read(chunk);
  const bits = found.all.slice();
  for (const { terms, isDenied } of filters) {
    const names = terms.map(({ term }) => term);
    const lists = await readTermBits(snapshot, visible.tenantKey, names, chunk);
    const meeting = createBits();
    for (const [at, { name }] of terms.entries()) {
      const seen = visibleAttribute(visible, found, name);
      intersect(seen, lists[at]!);
      unite(meeting, seen);
    }
    if (isDenied) subtract(bits, meeting);
    else intersect(bits, meeting);
  }
  return bits;
};

/** Removes from assets of a chunk that have the terms of the required filters those that don't meet the filters. */
export const keepMeetingAssets = async (
  snapshot: Snapshot,
  visible: VisibleAssets,
  filters: readonly FilterTerms[],
  { chunk, bits }: { readonly chunk: number; readonly bits: Bits },
): Promise<void> => {
  const others = filters.filter((filter) => !isMetByTerms(filter));
  intersect(bits, await readMeetingAssets(snapshot, visible, others, chunk));
  const found = await visible.read(chunk);
  for (const { terms } of filters.filter(isMetByTerms))
    intersect(bits, visibleAttribute(visible, found, terms[0].name));
};
