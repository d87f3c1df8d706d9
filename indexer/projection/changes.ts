// What the projection of one record answers with: rows to write, numbers to put into lists or to take out, columns to append.
import type { EventColumns } from '../rows/columns.ts';
import type { PackedEvent } from '../rows/policyPages.ts';
import type { Row, Write } from '../rows/rows.ts';

/** A number that comes into a list or leaves it. The list is a term of the tenant. */
export interface ListChange {
  readonly kind: 'list';
  readonly tenantKey: Uint8Array;
  readonly term: string;
  readonly number: number;
  readonly isIn: boolean;
}

/** The columns of a new event. */
export interface ColumnsChange {
  readonly kind: 'columns';
  readonly tenantKey: Uint8Array;
  readonly number: number;
  readonly columns: EventColumns;
}

/** What policies look at in a new event of an asset. */
export interface PolicyEventChange {
  readonly kind: 'policyEvent';
  readonly tenantKey: Uint8Array;
  readonly streamKey: Uint8Array;
  readonly event: PackedEvent;
}

export type Change = (Write & { readonly kind: 'row' }) | ListChange | ColumnsChange | PolicyEventChange;

/** The current value of a row. */
export type ReadRow = (key: Buffer) => Row | undefined;

export const row = (key: Buffer, value: Row | undefined): Change => ({ kind: 'row', key, value });

/** The changes of lists when a member's terms change. */
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
