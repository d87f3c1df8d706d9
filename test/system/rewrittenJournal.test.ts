// A journal that somebody rewrote so that its replay succeeds: every hash in it is computed again. What else has hashes
// of the chain contradicts it, each alone: the copy of the newest blocks, the index, and last the block log.
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { createEdr } from '../../chain/embedded/edr.ts';
import { decodeGenesis } from '../../chain/embedded/genesis.ts';
import { type BlockDatabase, openBlockDatabase } from '../../chain/embedded/journal/blockDatabase.ts';
import {
  decodeBlock,
  encodeBlock,
  encodeBlockKey,
  type JournalBlock,
} from '../../chain/embedded/journal/journalBlock.ts';
import { replayBlock } from '../../chain/embedded/replayJournal.ts';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { useDirectoryCopies, withNewTenant } from '../support/directoryCopies.ts';
import { NOT_REFUSED, rejectionOf } from '../support/refusals.ts';
import { openTestLedger } from '../support/testLedger.ts';

const ignore = (): void => undefined;

const readBlocks = async (journal: BlockDatabase): Promise<JournalBlock[]> => {
  const entries = await journal.values({ gt: encodeBlockKey(0) }).all();
  return entries.map((entry, at) => decodeBlock(at + 1, entry));
};

type Change = (blocks: JournalBlock[]) => JournalBlock[];

/** Rewrites a journal with other blocks, whose hashes are those of their own execution. */
const rewrite = async (directory: string, change: Change): Promise<void> => {
  const journal = await openBlockDatabase(directory);
  const { config } = decodeGenesis((await journal.get(encodeBlockKey(0)))!);
  const blocks = await readBlocks(journal);
  const edr = await createEdr(config);
  for (const { number } of blocks) await journal.del(encodeBlockKey(number));
  for (const block of change(blocks)) {
    const mined = await replayBlock(edr, block);
    await journal.put(encodeBlockKey(block.number), encodeBlock({ ...block, hash: mined!.hash as Hex }));
  }
  await journal.close();
};

// Gives a block the time of the next one.
const delay = (blocks: JournalBlock[], at: number): JournalBlock[] =>
  blocks.with(at, { ...blocks[at]!, timestampSeconds: blocks[at + 1]!.timestampSeconds });

const isEarlier = ({ timestampSeconds }: JournalBlock, at: number, blocks: readonly JournalBlock[]): boolean =>
  timestampSeconds < (blocks[at + 1]?.timestampSeconds ?? 0);

const delayNewest: Change = (blocks) =>
  blocks.with(-1, { ...blocks.at(-1)!, timestampSeconds: blocks.at(-1)!.timestampSeconds + 1 });

/** With the code by which the block log refuses it when the copy and the index are gone. */
const REWRITTEN: readonly (readonly [name: string, change: Change, code: string])[] = [
  ['another time of its newest block', delayNewest, 'LOG_CORRUPT'],
  ['another time of a record', (blocks) => delay(blocks, blocks.findLastIndex(isEarlier)), 'LOG_CORRUPT'],
  ['fewer blocks', (blocks) => blocks.slice(0, -1), 'CHAIN_UNAVAILABLE'],
];

describe('a journal that was rewritten with hashes of its own', () => {
  const { copyUndamaged } = useDirectoryCopies((path) =>
    withNewTenant(path, 'alpha', async ({ ledger, tenant }) => {
      const asset = await tenant.createAsset();
      // Blocks of two seconds at least.
      const { timestamp_committed: first } = (await tenant.record(asset, 'first')).body;
      for (let last = first; last === first; ) last = (await tenant.record(asset, 'more')).body.timestamp_committed;
      const checkpoints = (await openCheckpoints(ledger, {}, ignore))!;
      await checkpoints.request([]);
      await checkpoints.close();
    }),
  );

  // The code with which a start ends.
  const open = async (dataDir: string): Promise<string> => {
    const ledger = await openTestLedger(dataDir).catch((error: { code: string }) => error);
    if ('code' in ledger) return ledger.code;
    const checkpoints = openCheckpoints(ledger, {}, ignore);
    const code = await rejectionOf(checkpoints);
    if (code === NOT_REFUSED) await (await checkpoints)!.close();
    await ledger.close();
    return code;
  };
  const makeRewritten = async (change: Change) => {
    const paths = await copyUndamaged();
    await rewrite(paths.chain, change);
    return paths;
  };
  const remove = (...paths: string[]): Promise<unknown> =>
    Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));

  it('is accepted when it is the same', async () => {
    expect(await open((await makeRewritten((blocks) => blocks)).dataDir)).to.equal(NOT_REFUSED);
  });

  for (const [name, change, code] of REWRITTEN) {
    it(`is refused with ${name}: the copy, the index and the block log contradict it, each alone`, async () => {
      const { dataDir, index, recentBlocks } = await makeRewritten(change);
      expect(await open(dataDir)).to.equal('CHAIN_CORRUPT');
      await remove(recentBlocks);
      expect(await open(dataDir), 'the index').to.equal('CHAIN_CORRUPT');
      await remove(index);
      expect(await open(dataDir), 'the block log').to.equal(code);
      const other = await makeRewritten(change);
      await remove(other.index);
      expect(await open(other.dataDir), 'the copy').to.equal('CHAIN_CORRUPT');
    });
  }

  it('is found by the witnesses of the block log alone, once everything else in the directory is gone', async () => {
    const { dataDir, index, recentBlocks, log } = await makeRewritten(delayNewest);
    await remove(index, recentBlocks, log);
    expect(await open(dataDir)).to.equal(NOT_REFUSED);
  });
});
