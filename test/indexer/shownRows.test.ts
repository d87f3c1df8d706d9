import { expect } from 'chai';
import * as keys from '../../indexer/keys.ts';
import type { Cursor, Write } from '../../indexer/rows/rows.ts';
import { createShownRows } from '../../indexer/shownRows.ts';
import { CONTRACT } from '../support/fakeChain.ts';
import { toWord } from '../support/recordLogs.ts';

const KEY = keys.postingKey(new Uint8Array(32), 'list', 1);
const aWrite = (value: number): Write => ({ key: KEY, value });
const cursorAt = (blockNumber: number): Cursor => ({
  layoutVersion: keys.LAYOUT_VERSION,
  contract: CONTRACT,
  blockNumber,
  blockHash: toWord(blockNumber),
});

describe('rows that are shown before they are written', () => {
  const open = () => {
    const state = { cursor: undefined as Cursor | undefined, row: 1, isRefusing: false, writes: 0 };
    const reports: string[] = [];
    const shown = createShownRows({
      readStored: () => ({ row: state.row, bytes: 1 }),
      readCursor: () => state.cursor,
      write: async (writes, cursor) => {
        state.writes += 1;
        if (state.isRefusing) throw new Error('no space left');
        Object.assign(state, { cursor, row: writes.at(-1)!.value });
        return writes.map(() => 1);
      },
      failure: () => undefined,
      damage: {
        report: (problem) => {
          reports.push(problem);
          return undefined as never;
        },
      },
    });
    const fail = async (): Promise<void> => {
      await shown.apply([aWrite(2)], cursorAt(1));
      await shown.written();
      state.isRefusing = true;
      await shown.apply([aWrite(3)], cursorAt(2));
      await shown.written().catch(() => undefined);
      state.isRefusing = false;
    };
    return { shown, state, reports, fail };
  };

  it('are written again on the cursor before them, and on their own', async () => {
    for (const found of [cursorAt(1), cursorAt(2)]) {
      const { shown, state, fail, reports } = open();
      await fail();
      state.cursor = found;
      await shown.resume();
      expect([shown.read(KEY), state.row, state.writes]).to.deep.equal([3, 3, 3]);
      expect([state.cursor, reports]).to.deep.equal([cursorAt(2), []]);
    }
  });

  it('are forgotten when the reopened index is empty, because it was damaged', async () => {
    const { shown, state, fail, reports } = open();
    await fail();
    Object.assign(state, { cursor: undefined, row: undefined });
    await shown.resume();
    expect([shown.read(KEY), state.writes, reports]).to.deep.equal([undefined, 2, []]);
  });

  it('are not written on another cursor: the index is damaged', async () => {
    const { shown, state, fail, reports } = open();
    await fail();
    Object.assign(state, { cursor: cursorAt(9), row: 9 });
    await shown.resume();
    expect([shown.read(KEY), state.writes, reports.length]).to.deep.equal([9, 2, 1]);
  });

  it('leave a row in memory that equals the stored one', async () => {
    const { shown, state } = open();
    expect(shown.read(KEY)).to.equal(1);
    await shown.apply([aWrite(2), aWrite(5)], cursorAt(1));
    expect(shown.read(KEY)).to.equal(5);
    await shown.written();
    state.row = 100;
    expect(shown.read(KEY)).to.equal(5);
    shown.clear();
    expect(shown.read(KEY)).to.equal(100);
  });
});
