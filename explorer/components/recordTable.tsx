// A table of records. On a narrow screen its rows become cards, whose cells name their columns (`data-title`).
import type { ComponentChildren } from 'preact';

/** `columns`: the titles of the columns. The children are its rows. */
export const RecordTable = ({ columns, children }: { columns: readonly string[]; children: ComponentChildren }) => (
  <table class="records">
    <thead>
      <tr>
        {columns.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);
