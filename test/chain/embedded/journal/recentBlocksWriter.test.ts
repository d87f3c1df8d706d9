// The copy of the newest blocks after a failed write.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Journal } from '../../../../chain/embedded/journal/journal.ts';
import type { JournalBlock } from '../../../../chain/embedded/journal/journalBlock.ts';
import type { RecentBlocks } from '../../../../chain/embedded/journal/recentBlocks.ts';
import { createRecentBlocksWriter } from '../../../../chain/embedded/journal/recentBlocksWriter.ts';
import { until } from '../../../support/until.ts';

// A little more, because sums of fractions are rounded.
const RETRY_MS = 10_001;

const toBlock = (number: number): JournalBlock => ({
  number,
  hash: `0x${'00'.repeat(32)}`,
  timestampSeconds: number,
  transaction: Buffer.from([number]),
});

describe('the writer of the copy of the newest blocks', () => {
  const { now } = performance;
  const copied = new Map<number, JournalBlock>();
  const mined: JournalBlock[] = [];
  const problems: string[] = [];
  let clears = 0;
  let isFull = false;
  let gate = Promise.resolve();
  let writeGate = Promise.resolve();

  const copy = {
    damage: undefined,
    readGenesis: async () => undefined,
    readBlock: async (number: number) => copied.get(number),
    write: async (block: JournalBlock) => {
      await writeGate;
      if (isFull) throw new Error('no space left');
      copied.set(block.number, block);
    },
    clear: async () => {
      clears += 1;
      copied.clear();
    },
    sync: async () => undefined,
    close: async () => undefined,
  } as unknown as RecentBlocks;

  const journal = {
    readGenesis: async () => undefined,
    readLastNumber: async () => mined.length,
    readBlocks: async function* () {
      const blocks = [...mined];
      await gate;
      yield* blocks;
    },
  } as unknown as Journal;

  const create = () => {
    const writer = createRecentBlocksWriter({ copy, journal, onProblem: (message) => problems.push(message) });
    const mine = async (): Promise<void> => {
      mined.push(toBlock(mined.length + 1));
      writer.keep(mined.at(-1)!);
      await setImmediate();
    };
    return { ...writer, mine };
  };

  beforeEach(() => {
    copied.clear();
    mined.length = 0;
    problems.length = 0;
    clears = 0;
    isFull = true;
    gate = Promise.resolve();
    writeGate = Promise.resolve();
  });
  afterEach(() => {
    performance.now = now;
  });
  const retryNow = (): void => {
    const atMs = now.call(performance) + RETRY_MS;
    performance.now = () => atMs;
  };

  it('recovers it once, with the blocks that are mined meanwhile', async () => {
    const { mine, close } = create();
    await mine();
    expect(problems).to.have.length(1);
    isFull = false;
    retryNow();
    const opened = Promise.withResolvers<void>();
    gate = opened.promise;
    for (let count = 0; count < 4; count += 1) await mine();
    opened.resolve();
    await close();
    expect(clears).to.equal(1);
    expect([...copied.values()]).to.eql(mined);
  });

  it('recovers it again after a failed recovery, not before the time', async () => {
    const { mine, close } = create();
    await mine();
    retryNow();
    await mine();
    isFull = false;
    await mine();
    expect(clears).to.equal(1);
    const failedAtMs = performance.now();
    performance.now = () => failedAtMs + RETRY_MS;
    await mine();
    await mine();
    await close();
    expect(clears).to.equal(2);
    expect([...copied.values()]).to.eql(mined);
    expect(problems).to.have.length(1);
  });

  it('keeps few blocks in memory while the disk is slow, and completes the copy then', async () => {
    isFull = false;
    const opened = Promise.withResolvers<void>();
    writeGate = opened.promise;
    const { mine, close } = create();
    for (let count = 0; count < 200; count += 1) await mine();
    expect(problems).to.have.length(1);
    opened.resolve();
    await until(() => copied.size === 64);
    retryNow();
    await mine();
    await close();
    expect([...copied.values()]).to.eql(mined);
  });

  it('completes the copy again when the disk was slow during a recovery', async () => {
    const { mine, close } = create();
    await mine();
    isFull = false;
    retryNow();
    const opened = Promise.withResolvers<void>();
    gate = opened.promise;
    for (let count = 0; count < 200; count += 1) await mine();
    opened.resolve();
    await until(() => copied.size >= 64);
    const failedAtMs = performance.now();
    performance.now = () => failedAtMs + RETRY_MS;
    await mine();
    await close();
    expect(clears).to.equal(2);
    expect([...copied.values()]).to.eql(mined);
  });
});
