// The results of projecting one record: rows to write, numbers to add to or remove from lists, columns and policy pages
// to append to.
import type { EventColumns } from '../rows/columns.ts';
import type { Row, Write } from '../rows/rows.ts';
import type { PolicyPageEvent } from './decodedEvent.ts';

/** Adds a member's number to posting lists and removes it from others. */
export interface ListsChange {
  readonly kind: 'lists';
  readonly tenantKey: Uint8Array;
  readonly number: number;
  /** The terms of the lists that get the number. */
  readonly added: readonly string[];
  /** The terms of the lists that lose it. */
  readonly removed: readonly string[];
}

/** Appends a new event to the columns. */
export interface ColumnsChange {
  readonly kind: 'columns';
  readonly tenantKey: Uint8Array;
  readonly number: number;
  readonly columns: EventColumns;
}

/** Appends a new event of an asset to its policy pages. */
export interface PolicyEventChange {
  readonly kind: 'policyEvent';
  readonly tenantKey: Uint8Array;
  readonly streamKey: Uint8Array;
  readonly event: PolicyPageEvent;
  readonly acceptedMs: number;
}

/**
 * One change of the index. A row of the kind `unreadRow` is one that no projection reads, except those of records,
 * which contributions look for; it needs no look-up in the batch.
 */
export type Change =
  | (Write & { readonly kind: 'row' })
  | (Write & { readonly kind: 'unreadRow' })
  | ListsChange
  | ColumnsChange
  | PolicyEventChange;

/** Reads the current value of a row. */
export type ReadRow = (key: Buffer) => Row | undefined;

/** The change that writes a row, or deletes it if the value is undefined. */
export const row = (key: Buffer, value: Row | undefined): Change => ({ kind: 'row', key, value });

/** The change that writes a row that no projection reads, or that of a record. */
export const unreadRow = (key: Buffer, value: Row): Change => ({ kind: 'unreadRow', key, value });

/** A set of more terms is faster than a search in their array. */
const FEW_TERMS = 16;

const without = (terms: readonly string[], others: readonly string[]): string[] => {
  if (others.length <= FEW_TERMS) return terms.filter((term) => !others.includes(term));
  const excluded = new Set(others);
  return terms.filter((term) => !excluded.has(term));
};

/** The change of posting lists for a member whose terms change. */
export const toTermChange = (
  { tenantKey, number }: { readonly tenantKey: Uint8Array; readonly number: number },
  before: readonly string[],
  after: readonly string[],
): ListsChange => {
  if (before.length === 0) return { kind: 'lists', tenantKey, number, added: after, removed: before };
  return { kind: 'lists', tenantKey, number, added: without(after, before), removed: without(before, after) };
};
