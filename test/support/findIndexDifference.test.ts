import { expect } from 'chai';
import * as keys from '../../indexer/keys.ts';
import type { Row } from '../../indexer/rows/rows.ts';
import { createIndexStore, type IndexStore } from '../../indexer/store.ts';
import { useDirectories } from './directories.ts';
import { CONTRACT } from './fakeChain.ts';
import { findIndexDifference } from './findIndexDifference.ts';
import { toWord } from './recordLogs.ts';

const keyOf = (number: number): Buffer => keys.postingKey(new Uint8Array(32), 'list', number);

describe('the comparison of two indexes', () => {
  const makeDirectory = useDirectories();

  // With the cursor at the block.
  const makeIndex = async (rows: readonly (readonly [number: number, row: Row])[], block = 1): Promise<IndexStore> => {
    const store = await createIndexStore(await makeDirectory());
    const cursor = { layoutVersion: keys.LAYOUT_VERSION, contract: CONTRACT, blockNumber: block, blockHash: toWord(1) };
    const writes = rows.map(([number, value]) => ({ key: keyOf(number), value }));
    await store.apply(writes, cursor);
    return store;
  };

  const compare = async (grown: IndexStore, rebuilt: IndexStore): Promise<string | undefined> => {
    try {
      return await findIndexDifference(grown, rebuilt);
    } finally {
      await Promise.all([grown.close(), rebuilt.close()]);
    }
  };

  const ROWS = [1, 2, 3].map((number) => [number, toWord(number)] as const);
  const hex = (number: number): string => keyOf(number).toString('hex');

  it('finds none in equal rows, also with different cursors', async () => {
    expect(await compare(await makeIndex(ROWS, 5), await makeIndex(ROWS, 6))).to.equal(undefined);
  });

  it('finds a row with another value', async () => {
    const other = await makeIndex([...ROWS.slice(0, 2), [3, 7]]);
    const difference = `the index has ${hex(3)}: 7, a rebuilt one ${hex(3)}: "${toWord(3)}"`;
    expect(await compare(other, await makeIndex(ROWS))).to.equal(difference);
  });

  it('finds a row that is missing in either index', async () => {
    const [first, second] = ROWS.map(([number, value]) => `${hex(number)}: "${value}"`);
    const lacking = () => makeIndex(ROWS.slice(1));
    expect(await compare(await lacking(), await makeIndex(ROWS))).to.contain(`has ${second}, a rebuilt one ${first}`);
    expect(await compare(await makeIndex(ROWS), await lacking())).to.contain(`has ${first}, a rebuilt one ${second}`);
  });

  it('finds that either index ends early', async () => {
    const last = `${hex(3)}: "${toWord(3)}"`;
    const lacking = () => makeIndex(ROWS.slice(0, 2));
    expect(await compare(await lacking(), await makeIndex(ROWS))).to.contain(`has no row, a rebuilt one ${last}`);
    expect(await compare(await makeIndex(ROWS), await lacking())).to.contain(`has ${last}, a rebuilt one no row`);
  });
});
