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

/**
 * Records, with a line of their columns before them: all that one of them has. What a spreadsheet would take for a
 * formula begins with an apostrophe (OWASP, "CSV Injection").
 */
export const toCsv = (records: readonly object[]): string => {
  const rows = records.map((record) => Object.fromEntries(flatten(record, '')));
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const data = rows.map((row) => fields.map((column) => row[column] ?? ''));
  return `${BYTE_ORDER_MARK}${papaparse.unparse({ fields, data }, { escapeFormulae: FORMULA })}\r\n`;
};
