// Filters on attributes that a reader may see of some records only: elsewhere the attribute counts as absent, so that
// no filter, order or count says anything of its value.
import * as keys from '../../keys.ts';
import type { AttributeFilter } from '../../ledgerView.ts';
import { type Bits, createBits, intersect, subtract } from '../../rows/bits.ts';
import { decodePosting } from '../../rows/postings.ts';
import type { Snapshot } from '../../snapshots.ts';
import { toConditions } from '../selection/conditions.ts';
import { type VisibleAssets, visibleAttribute } from './visibleAssets.ts';

/** A term that a record must have, or must not have, where its attribute with this name is visible. */
export interface RestrictedTerm {
  readonly name: string;
  readonly term: string;
  readonly isRequired: boolean;
}

/** The terms of filters. */
export const toRestrictedTerms = (collection: keys.Collection, filters: readonly AttributeFilter[]): RestrictedTerm[] =>
  filters.map((filter) => {
    const { all, none } = toConditions(collection, { attributes: [filter], fields: [] });
    return { name: filter.name, term: [...all, ...none][0]!, isRequired: all.length > 0 };
  });

/** The terms that every match has. */
export const requiredOf = (terms: readonly RestrictedTerm[]): string[] =>
  terms.filter(({ isRequired }) => isRequired).map(({ term }) => term);

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

/** The visible assets of a chunk that have the required terms, and none of the others, as far as the reader sees. */
export const readMeetingAssets = async (
  snapshot: Snapshot,
  visible: VisibleAssets,
  terms: readonly RestrictedTerm[],
  chunk: number,
): Promise<Bits> => {
  const found = await visible.read(chunk);
  const bits = found.all.slice();
  const lists = await readTermBits(
    snapshot,
    visible.tenantKey,
    terms.map(({ term }) => term),
    chunk,
  );
  for (const [at, { name, isRequired }] of terms.entries()) {
    const seen = visibleAttribute(visible, found, name);
    intersect(seen, lists[at]!);
    if (isRequired) intersect(bits, seen);
    else subtract(bits, seen);
  }
  return bits;
};

/**
 * Removes from assets of a chunk that have the required terms those that aren't visible, and those that don't meet the
 * terms as far as the reader sees.
 */
export const keepMeetingAssets = async (
  snapshot: Snapshot,
  visible: VisibleAssets,
  terms: readonly RestrictedTerm[],
  { chunk, bits }: { readonly chunk: number; readonly bits: Bits },
): Promise<void> => {
  const denied = terms.filter(({ isRequired }) => !isRequired);
  intersect(bits, await readMeetingAssets(snapshot, visible, denied, chunk));
  const found = await visible.read(chunk);
  for (const { name, isRequired } of terms) if (isRequired) intersect(bits, visibleAttribute(visible, found, name));
};
