// The rows of a simulated database: immutable sorted arrays, so that a snapshot is only a reference.
import type { StoredOperation } from './batch.ts';

/** A key and its value. */
export interface Row {
  /** The key's bytes as characters, which compare faster. */
  readonly name: string;
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Rows sorted by key, each key once. */
export type Rows = readonly Row[];

/** A range of keys by their names, with LevelDB's names for its bounds. */
export interface NameRange {
  readonly gt?: string | undefined;
  readonly gte?: string | undefined;
  readonly lt?: string | undefined;
  readonly lte?: string | undefined;
}

/** The name of a key. */
export const toName = (key: Buffer): string => key.toString('latin1');

// Position of the first row that isn't before a name.
const findPosition = (rows: Rows, name: string): number => {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.name < name) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The value of a key; undefined when there is none. */
export const findValue = (rows: Rows, name: string): Buffer | undefined => {
  const row = rows[findPosition(rows, name)];
  return row?.name === name ? row.value : undefined;
};

/** The rows after some operations. */
export const applyOperations = (rows: Rows, operations: readonly StoredOperation[]): Rows => {
  const changed = rows.slice();
  for (const { key, value } of operations) {
    const name = toName(key);
    const isAtEnd = changed.length === 0 || changed.at(-1)!.name < name;
    const at = isAtEnd ? changed.length : findPosition(changed, name);
    const replaced = changed[at]?.name === name ? 1 : 0;
    if (value === undefined) changed.splice(at, replaced);
    else if (replaced === 1) changed[at] = { name, key, value };
    else if (isAtEnd) changed.push({ name, key, value });
    else changed.splice(at, 0, { name, key, value });
  }
  return changed;
};

const positionAfter = (rows: Rows, name: string): number => {
  const at = findPosition(rows, name);
  return rows[at]?.name === name ? at + 1 : at;
};

/** The positions of a range: at least `from`, less than `to`. `gte` and `lte` take precedence. */
export const findRange = (rows: Rows, { gt, gte, lt, lte }: NameRange): { from: number; to: number } => {
  const toStart = (): number => (gt === undefined ? 0 : positionAfter(rows, gt));
  const toEnd = (): number => (lt === undefined ? rows.length : findPosition(rows, lt));
  const from = gte === undefined ? toStart() : findPosition(rows, gte);
  const to = lte === undefined ? toEnd() : positionAfter(rows, lte);
  return { from, to: Math.max(from, to) };
};
