// The results of projecting one record: rows to write, numbers to add to or remove from lists, columns and policy pages
// to append to.
import type { EventColumns } from '../rows/columns.ts';
import type { PackedEvent } from '../rows/policyPages.ts';
import type { Row, Write } from '../rows/rows.ts';

/** Adds a number to a posting list or removes it. */
export interface ListChange {
  readonly kind: 'list';
  readonly tenantKey: Uint8Array;
  readonly term: string;
  readonly number: number;
  readonly isIn: boolean;
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
  readonly event: PackedEvent;
}

/** One change of the index. */
export type Change = (Write & { readonly kind: 'row' }) | ListChange | ColumnsChange | PolicyEventChange;

/** Reads the current value of a row. */
export type ReadRow = (key: Buffer) => Row | undefined;

/** The change that writes a row, or deletes it if the value is undefined. */
export const row = (key: Buffer, value: Row | undefined): Change => ({ kind: 'row', key, value });

/** The changes of posting lists for a member whose terms change. */
export const toTermChanges = (
  member: { readonly tenantKey: Uint8Array; readonly number: number },
  before: readonly string[],
  after: readonly string[],
): Change[] => {
  const { tenantKey, number } = member;
  const toChange = (term: string, isIn: boolean): Change => ({ kind: 'list', tenantKey, number, term, isIn });
  if (before.length === 0) return after.map((term) => toChange(term, true));
  const [old, kept] = [new Set(before), new Set(after)];
  return [
    ...[...old].filter((term) => !kept.has(term)).map((term) => toChange(term, false)),
    ...[...kept].filter((term) => !old.has(term)).map((term) => toChange(term, true)),
  ];
};
