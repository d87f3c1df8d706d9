// Records as CSV (RFC 4180), for spreadsheets.
import papaparse from 'papaparse';

/** Spreadsheets read UTF-8 only after it. */
const BYTE_ORDER_MARK = '\uFEFF';
/** What a spreadsheet would calculate: `=HYPERLINK(...)`. A number with a sign is one, and stays. */
const FORMULA = /^(?![+-]?\d+(?:\.\d+)?$)[=+\-@\t\r]/;

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

// A member of a map becomes a column `map.member`; a list stays JSON.
const flatten = (record: object, prefix: string): [column: string, text: string][] =>
  Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (isMap(value)) return flatten(value, `${prefix}${name}.`);
    return [[`${prefix}${name}`, Array.isArray(value) ? JSON.stringify(value) : String(value ?? '')]];
  });

const toLine = (cells: readonly string[]): string => `${papaparse.unparse([cells], { escapeFormulae: FORMULA })}\r\n`;

/**
 * Records, with a line of their columns before them: all that one of them has. What a spreadsheet would take for a
 * formula begins with an apostrophe (OWASP, "CSV Injection"). Returns the lines, each with its end. `takeTurn` is
 * awaited for each record, twice; rejects as it does.
 */
export const toCsv = async (records: readonly object[], takeTurn: () => Promise<void>): Promise<string[]> => {
  const rows: ReadonlyMap<string, string>[] = [];
  const columns = new Set<string>();
  for (const record of records) {
    await takeTurn();
    const row = new Map(flatten(record, ''));
    for (const column of row.keys()) columns.add(column);
    rows.push(row);
  }
  const lines = [`${BYTE_ORDER_MARK}${toLine([...columns])}`];
  for (const row of rows) {
    await takeTurn();
    lines.push(toLine(Array.from(columns, (column) => row.get(column) ?? '')));
  }
  return lines;
};
