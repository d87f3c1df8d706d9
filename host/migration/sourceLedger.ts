// Reads the ledger of a data directory of version 0.1. Everything is read from copies, so the directory stays as it is.
import { toLedgerAddress } from '../../chain/administration.ts';
import { createEmbeddedChain } from '../../chain/embedded/embeddedChain.ts';
import { openJournal } from '../../chain/embedded/journal/journal.ts';
import type { RpcRequest } from '../../chain/jsonRpc/rpcRequest.ts';
import type { BlockRef } from '../../chain/port.ts';
import type { OutboxEntry } from '../../chain/writing/outboxEntries.ts';
import { openOutboxStore } from '../../chain/writing/outboxStore.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { copyFolders } from '../backup/backupFiles.ts';
import { limitCachedStates } from '../cachedStates.ts';
import { assertChainUndamaged } from '../embeddedLedger.ts';
import { assertRestored } from '../files/assertRestored.ts';
import { dataPaths } from '../files/dataPaths.ts';
import type { Keyring } from '../keyring.ts';
import { assertChainKind, readKnownLedger, toIssuer } from '../knownLedger.ts';
import type { OnStep } from '../ledgerOptions.ts';
import { assertRepaired } from '../repair/repairFiles.ts';
import { CHAIN_ID } from '../settings/installationLimits.ts';
import { type LogPage, readLogPages } from './logPages.ts';

/** A ledger of version 0.1, open for reading. */
export interface SourceLedger {
  readonly chainId: number;
  readonly contract: Hex;
  /** Issuer of its own tokens and principals. */
  readonly issuer: string;
  readonly head: BlockRef;
  readonly request: RpcRequest;
  /** Number of records that the chain refused. Only the outbox has them. */
  readonly failedRecords: number;
  /** All records in the order of the chain. */
  readLogs(): AsyncGenerator<LogPage>;
  close(): Promise<void>;
}

const readOutbox = async (directory: string): Promise<readonly OutboxEntry[]> => {
  const outbox = await openOutboxStore(directory);
  try {
    return await outbox.readAll();
  } finally {
    await outbox.close();
  }
};

// A record that waits would be lost: only version 0.1 can put it on its chain.
const countFailed = (dataDir: string, entries: readonly OutboxEntry[]): number => {
  const pending = entries.filter(({ status }) => status === 'PENDING').length;
  if (pending === 0) return entries.length;
  throw new Error(
    `${pending} accepted records of ${dataDir} are not on its chain yet; start version 0.1 on it until it has committed them, ` +
      'then stop it',
  );
};

const openChainCopy = async (directory: string, onStep: OnStep) =>
  createEmbeddedChain({
    directory,
    chainId: CHAIN_ID,
    opensOutdated: true,
    now: Date.now,
    onProgress: ({ blocksDone, blocksTotal }) =>
      onStep({ title: 'replaying the old chain', unit: 'blocks', done: blocksDone, total: blocksTotal }),
  });

const findLedger = async (dataDir: string, keyring: Keyring, chainId: number) => {
  const known = await readKnownLedger(dataDir, 'embedded');
  const contract = known?.contract ?? toLedgerAddress(await keyring.requireWallet('ledger-administrator'));
  return { contract, issuer: toIssuer({ chainId, contract }, known) };
};

// Today's format has nothing to gain, and would lose the proofs of its blocks.
const assertFormat01 = async (dataDir: string, directory: string): Promise<void> => {
  const journal = await openJournal(directory);
  const genesis = await journal.readGenesis();
  await journal.close();
  if (genesis?.config.formatVersion !== 1) throw new Error(`the ledger in ${dataDir} is not of version 0.1`);
};

const assertComplete = async (dataDir: string): Promise<void> => {
  assertChainKind(dataDir, 'embedded');
  assertRestored(dataDir);
  assertRepaired(dataDir);
  await assertChainUndamaged(dataDir);
};

/**
 * Copies chain and outbox of a data directory of version 0.1, which no process may have open, into the directory
 * `copies`, and opens them.
 * @throws Error when records wait for the chain, when a restore or repair did not finish, and for a ledger of another
 * version; LedgerError CHAIN_CORRUPT when the chain is damaged.
 */
export const openSourceLedger = async (
  dataDir: string,
  keyring: Keyring,
  { copies, onStep }: { copies: string; onStep: OnStep },
): Promise<SourceLedger> => {
  await assertComplete(dataDir);
  const copy = dataPaths(copies);
  await copyFolders(dataDir, copies, ['outbox']);
  const failedRecords = countFailed(dataDir, await readOutbox(copy.outbox));
  await copyFolders(dataDir, copies, ['chain']);
  await assertFormat01(dataDir, copy.chain);
  limitCachedStates();
  const chain = await openChainCopy(copy.chain, onStep);
  const { contract, issuer } = await findLedger(dataDir, keyring, chain.chainId);
  const head = await chain.fetchFinalHead();
  return {
    chainId: chain.chainId,
    contract,
    issuer,
    head,
    request: chain.request,
    failedRecords,
    readLogs: () => readLogPages(chain, contract, head.number),
    close: chain.close,
  };
};
