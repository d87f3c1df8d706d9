// Slips in the embedded chain, its journal, and the recovery of databases after failed writes.
import type { Defect } from './defect.ts';

const PRODUCER = 'chain/embedded/blockProducer.ts';
const JOURNAL = 'chain/embedded/journal/journal.ts';

/** Defects of the embedded chain. */
export const chainDefects: readonly Defect[] = [
  {
    name: 'journal-not-synced',
    file: JOURNAL,
    find: 'db.put(encodeBlockKey(block.number), encodeBlock(block), SYNCED)',
    replace: 'db.put(encodeBlockKey(block.number), encodeBlock(block))',
    breaks: 'a block is on the disk before it is acknowledged',
    foundBy: 'power failure',
  },
  {
    name: 'block-visible-before-journal',
    file: PRODUCER,
    find: `    unwritten = mined;
    await journal.appendBlock(mined.block, mined.logs).catch((cause: unknown) => {
      throw new UnwrittenBlock(mined.block.number, cause);
    });
    advance(mined);`,
    replace: `    advance(mined);
    unwritten = mined;
    await journal.appendBlock(mined.block, mined.logs).catch((cause: unknown) => {
      throw new UnwrittenBlock(mined.block.number, cause);
    });
    unwritten = undefined;`,
    breaks: 'no block is announced before the journal has it',
    foundBy: 'kill between the index and the journal, disk that refuses a block',
  },
  {
    name: 'recovery-writes-nothing',
    file: PRODUCER,
    find: '    unwritten = mined;\n',
    replace: '',
    breaks: 'a block that the journal failed to store is written later',
    foundBy: 'disk that refuses a block',
  },
  {
    name: 'reverted-counts-as-succeeded',
    file: PRODUCER,
    find: "const outcome = logs.length > 0 ? 'succeeded' : 'unknown';",
    replace: "const outcome = 'succeeded';",
    breaks: 'a transaction without logs may have reverted',
    foundBy: 'record that the contract rejects',
  },
  {
    name: 'any-refusal-stops-the-chain',
    file: 'chain/embedded/chainAccess.ts',
    find: `    if (error instanceof UnwrittenBlock) recovery.begin(error);
    else if (`,
    replace: '    if (',
    breaks: 'the chain continues once the disk accepts blocks again',
    foundBy: 'disk that refuses a block',
  },
  {
    name: 'nonce-before-replay',
    file: 'chain/embedded/engine/engineRuns.ts',
    find: '      await current;\n      return engine!;',
    replace: '      return engine!;',
    breaks: 'nothing reads the state of a chain that is still replayed',
    foundBy: 'kill that loses a part of the index',
  },
  {
    name: 'journal-not-reopened',
    file: JOURNAL,
    find: `      await db.close();
      await orRefuse(directory, reopenDatabase(db, directory));
      await assertEndsWith(db, head, block);`,
    replace: '      await assertEndsWith(db, head, block);',
    breaks: 'the journal is opened again after a failed write, with a new log',
    foundBy: 'disk that refuses a block, then kill',
  },
  {
    name: 'copy-before-journal',
    file: 'chain/embedded/journal/checkedJournal.ts',
    find: `        await journal.appendBlock(block);
        writer.keep(block);`,
    replace: `        writer.keep(block);
        await journal.appendBlock(block);`,
    breaks: 'the copy of the newest blocks has no block that the journal lacks',
    foundBy: 'kill between the two writes',
  },
  {
    name: 'logs-with-a-gap',
    file: 'chain/embedded/keptLogs.ts',
    find: 'if (logs === undefined) return undefined;',
    replace: 'if (logs === undefined) continue;',
    breaks: 'an index that lacks a block without kept logs waits for the replay',
    foundBy: 'power failure that loses a part of the index',
  },
  {
    name: 'recovery-tries-once',
    file: 'chain/leveldb/writeRecovery.ts',
    find: 'for (let isRefused = true; isRefused; isRefused = await attempt()) {',
    replace: 'for (let isRefused = true; isRefused; isRefused = (await attempt()) && false) {',
    breaks: 'the recovery of a database is repeated until it succeeds',
    foundBy: 'disk that is full for some seconds',
  },
  {
    name: 'cut-off-write-is-damage',
    file: 'chain/leveldb/logFile.ts',
    find: 'if (hasRecordAfter(file, read.end + 1)) throw',
    replace: 'if (read.end < file.length) throw',
    breaks: 'a write that a power failure cut off is no damage',
    foundBy: 'torn write',
  },
];
