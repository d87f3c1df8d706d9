// A list of records as a table that sorts by its columns; the address keeps the order.
import type { ComponentChildren } from 'preact';
import { useAddress } from '../state/address.ts';
import { sortRecords, toNextSort } from '../text/sorting.ts';

/** A column of a list. */
export interface ListColumn<T> {
  readonly title: string;
  readonly cell: (record: T) => ComponentChildren;
  /** What the list is sorted by in this column's order; undefined: it can't be sorted by it. */
  readonly sortBy?: (record: T) => string | number;
  /** Whether the text may be long. */
  readonly isLong?: boolean;
}

interface ListTableProps<T> {
  readonly columns: readonly ListColumn<T>[];
  readonly records: readonly T[];
  readonly keyOf: (record: T) => string;
  /** Whether the list has further pages, which aren't sorted with this one. */
  readonly hasMore?: boolean;
}

const ORDERS = { ascending: '▲', descending: '▼' } as const;

const Title = ({ title, sort }: { title: string; sort: string | null }) => {
  const { toLink } = useAddress();
  const order = sort === title ? 'ascending' : sort === `-${title}` ? 'descending' : undefined;
  return (
    <th scope="col" aria-sort={order ?? 'none'}>
      <a href={toLink({ sort: toNextSort(title, sort) })}>
        {title} <span aria-hidden="true">{order === undefined ? '' : ORDERS[order]}</span>
      </a>
    </th>
  );
};

/** The records, in their own order until a column is chosen. On a narrow screen its rows become cards. */
export function ListTable<T>({ columns, records, keyOf, hasMore = false }: ListTableProps<T>) {
  const sort = useAddress().parameters.get('sort');
  const sorted = sortRecords(records, columns, sort);
  return (
    <>
      {hasMore && sorted !== records ? <p class="hint">Only the records of this page are sorted.</p> : null}
      <table class="records">
        <thead>
          <tr>
            {columns.map(({ title, sortBy }) =>
              sortBy === undefined ? (
                <th key={title} scope="col">
                  {title}
                </th>
              ) : (
                <Title key={title} title={title} sort={sort} />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {sorted.map((record) => (
            <tr key={keyOf(record)}>
              {columns.map(({ title, cell, isLong }) => (
                <td key={title} data-title={title} class={isLong ? 'summary' : undefined}>
                  {cell(record)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
