// Compares two indexes key by key. One row of each is in memory at a time, so an index may be large.
import { cursorKey } from '../../indexer/keys.ts';
import type { Row } from '../../indexer/rows/rows.ts';
import type { IndexStore } from '../../indexer/store.ts';

const toText = (row: Row): string =>
  row instanceof Uint8Array ? Buffer.from(row).toString('hex') : JSON.stringify(row);

// Without the cursor, which empty blocks move, also between two comparisons.
async function* readRows(store: IndexStore): AsyncGenerator<string, undefined> {
  for await (const [key, row] of store.entries())
    if (!key.equals(cursorKey())) yield `${key.toString('hex')}: ${toText(row)}`;
  return undefined;
}

const describeDifference = (grown = 'no row', rebuilt = 'no row'): string =>
  `the index has ${grown}, a rebuilt one ${rebuilt}`;

/** The first difference between the rows of an index and those of a rebuilt one, without the cursor; or undefined. */
export const findIndexDifference = async (grown: IndexStore, rebuilt: IndexStore): Promise<string | undefined> => {
  const expected = readRows(rebuilt);
  try {
    for await (const row of readRows(grown)) {
      const { value } = await expected.next();
      if (row !== value) return describeDifference(row, value);
    }
    const { value } = await expected.next();
    return value === undefined ? undefined : describeDifference(undefined, value);
  } finally {
    await expected.return(undefined);
  }
};
