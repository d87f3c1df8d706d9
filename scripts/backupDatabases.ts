// The part of a backup that only whoever has the databases open can make: outbox and chain. In this order, because a record goes from the one
// to the other: so it is in one of the copies at least, and twice is harmless.
import { join } from 'node:path';
import { openJournal } from '../chain/embedded/journal.ts';
import { createOutbox } from '../chain/outbox.ts';
import type { BlockRef } from '../chain/port.ts';
import { dataPaths } from './config.ts';
import { LEDGER_LIMITS } from './limits.ts';
import type { Ledger } from './openLedger.ts';

/** Copies outbox and chain of an open ledger, which goes on working. Resolves with the newest block of the copy. */
export const copyDatabases = async (
  { outbox, chain }: Pick<Ledger, 'outbox' | 'chain'>,
  directory: string,
): Promise<BlockRef> => {
  const target = dataPaths(directory);
  if (chain.copyJournalTo === undefined) throw new Error('this ledger is on a network');
  await outbox.copyTo(target.outbox);
  return chain.copyJournalTo(target.chain);
};

/**
 * The same of a data directory that no server has open.
 * @throws LedgerError CHAIN_UNAVAILABLE when another process has it open.
 */
export const copyStoppedDatabases = async (dataDir: string, directory: string): Promise<BlockRef> => {
  await using opened = new AsyncDisposableStack();
  const source = dataPaths(dataDir);
  const journal = opened.adopt(await openJournal(source.chain), ({ close }) => close());
  const { outboxEntriesMax } = LEDGER_LIMITS;
  const outbox = await createOutbox({ directory: source.outbox, entriesMax: outboxEntriesMax });
  opened.defer(outbox.close);
  return await copyDatabases({ outbox, chain: { copyJournalTo: journal.copyTo } as Ledger['chain'] }, directory);
};

/** Folders of a backup whose files are copied as they are: they never change once they are there. */
export const COPIED_FOLDERS = ['keys', join('blobs', 'content')] as const;
