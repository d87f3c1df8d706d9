// The part of a backup that only the process with the open databases can copy: the block log, the outbox, then the
// chain or the file of its network. In this order, because a record moves from the outbox to the chain: it is in at
// least one of the copies, and twice is harmless. Nor may the log have a block that the chain lacks.
import { type BlockLog, openStoppedLog } from '../../chain/blockLog/blockLog.ts';
import { openUndamagedJournal } from '../../chain/embedded/journal/journal.ts';
import type { BlockRef } from '../../chain/port.ts';
import { createOutbox } from '../../chain/writing/outbox.ts';
import { assertChainUndamaged } from '../embeddedLedger.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { lockDirectory } from '../files/directoryLock.ts';
import { readKnownLedger } from '../knownLedger.ts';
import type { Ledger } from '../openLedger.ts';
import { assertRepaired } from '../repair/repairFiles.ts';
import { LEDGER_LIMITS } from '../settings/installationLimits.ts';
import { copyFile } from './backupFiles.ts';

interface CopiedParts extends Pick<Ledger, 'dataDir' | 'outbox' | 'chain'> {
  /** Undefined: there is none. */
  readonly blockLog?: Pick<BlockLog, 'copyTo'> | undefined;
}

/**
 * Copies block log, outbox and chain of an open ledger, which continues to work; of a network only `network.json`.
 * Resolves with the newest block of the copy.
 */
export const copyDatabases = async (
  { dataDir, outbox, chain, blockLog }: CopiedParts,
  directory: string,
): Promise<BlockRef> => {
  const target = dataPaths(directory);
  const { copyJournalTo } = chain;
  // A block that is final now stays final.
  const head = copyJournalTo === undefined ? await chain.fetchFinalHead() : undefined;
  await blockLog?.copyTo(target.log);
  await outbox.copyTo(target.outbox);
  if (copyJournalTo !== undefined) return copyJournalTo(target.chain);
  await copyFile(dataPaths(dataDir).network, target.network);
  return head!;
};

type Stopped = Pick<Ledger['chain'], 'copyJournalTo' | 'fetchFinalHead'>;

// No node is queried: of its network the directory itself knows the block of the deployment.
const openStoppedChain = async (dataDir: string, opened: AsyncDisposableStack): Promise<Stopped> => {
  const known = await readKnownLedger(dataDir, 'network');
  if (known !== undefined) {
    const { deploymentBlock: number, deploymentBlockHash: hash } = known;
    return { fetchFinalHead: async () => ({ number, hash }) };
  }
  await assertChainUndamaged(dataDir);
  const journal = opened.adopt(await openUndamagedJournal(dataPaths(dataDir).chain), ({ close }) => close());
  return { copyJournalTo: journal.copyTo } as Stopped;
};

/**
 * Copies outbox and chain of a data directory that no server has open.
 * @throws LedgerError CHAIN_UNAVAILABLE when another process has it open; CHAIN_CORRUPT, CHAIN_MISMATCH or
 * OUTBOX_CORRUPT when a start would be refused with that code; Error when a repair did not finish.
 */
export const copyStoppedDatabases = async (dataDir: string, directory: string): Promise<BlockRef> => {
  await using opened = new AsyncDisposableStack();
  opened.defer(await lockDirectory(dataDir));
  assertRepaired(dataDir);
  const chain = await openStoppedChain(dataDir, opened);
  const { outboxEntriesMax } = LEDGER_LIMITS;
  const outbox = await createOutbox({ directory: dataPaths(dataDir).outbox, entriesMax: outboxEntriesMax });
  opened.defer(outbox.close);
  const blockLog = await openStoppedLog(dataPaths(dataDir).log);
  return await copyDatabases({ dataDir, outbox, chain: chain as Ledger['chain'], blockLog }, directory);
};
