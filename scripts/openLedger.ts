// Composes the ledger of one data directory: chain, contract, index, outbox and writer. No HTTP here.
import { mkdir } from 'node:fs/promises';
import { type Deployment, findOrDeployLedger } from '../chain/administration.ts';
import { createEmbeddedChain, type EmbeddedChain } from '../chain/embedded/embeddedChain.ts';
import { createOutbox, type Outbox } from '../chain/outbox.ts';
import { createRecordWriter, type RecordWriter } from '../chain/recordWriter.ts';
import { createSubmission } from '../chain/submission.ts';
import { createLedgerView } from '../indexer/createLedgerView.ts';
import { createFollower, type Follower } from '../indexer/follower.ts';
import type { LedgerView } from '../indexer/ledgerView.ts';
import { readCommitments } from '../indexer/recordReads.ts';
import { createIndexStore, type IndexStore } from '../indexer/store.ts';
import type { Hex } from '../ledger/hex.ts';
import { dataPaths } from './config.ts';
import { openCoinbase } from './embeddedValidator.ts';
import { type Keyring, openKeyring } from './keyring.ts';
import { readLedgerBytecode } from './ledgerArtifact.ts';
import { openTenantWallets, type TenantWallets } from './tenantWallets.ts';

/** Told how a long step gets on: so many of so many `unit`. */
export type OnStep = (step: { title: string; unit: string; done: number; total: number }) => void;

export interface LedgerOptions {
  readonly dataDir: string;
  readonly chainId: number;
  readonly limits: LedgerLimits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onStep: OnStep;
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** Told of each batch of records that goes to the chain. */
  readonly onBatch?: ((records: number) => void) | undefined;
}

export interface LedgerLimits {
  readonly outboxEntriesMax: number;
  readonly batchRecordsMax: number;
  readonly batchBytesMax: number;
  readonly commitWaitMs: number;
}

export interface Ledger {
  readonly dataDir: string;
  readonly keyring: Keyring;
  readonly wallets: TenantWallets;
  readonly chain: EmbeddedChain;
  readonly contract: Hex;
  readonly store: IndexStore;
  readonly outbox: Outbox;
  readonly view: LedgerView;
  readonly writer: RecordWriter;
  close(): Promise<void>;
}

/** Blocks that the follower reads at once. */
const PAGE_BLOCKS = 64;

const toMebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

const openChain = (options: LedgerOptions, keyring: Keyring): Promise<EmbeddedChain> =>
  createEmbeddedChain({
    directory: dataPaths(options.dataDir).chain,
    chainId: options.chainId,
    openCoinbase: () => openCoinbase(keyring),
    now: options.now,
    onProgress: ({ blocksDone, blocksTotal }) =>
      options.onStep({ title: 'replaying the chain', unit: 'blocks', done: blocksDone, total: blocksTotal }),
    onMemoryWarning: ({ usedBytes, limitBytes }) =>
      options.onProblem(
        `memory is short: ${toMebibytes(usedBytes)} of ${toMebibytes(limitBytes)} MiB used; ` +
          'the embedded chain keeps everything in memory, so move to a machine with more',
      ),
  });

const createDirectories = async (dataDir: string): Promise<void> => {
  const { keys, chain, index, outbox } = dataPaths(dataDir);
  for (const path of [dataDir, keys, chain, index, outbox]) await mkdir(path, { recursive: true, mode: 0o700 });
};

// On a chain that has begun, a new key would mean a new and empty ledger beside the old one.
const findContract = async (chain: EmbeddedChain, keyring: Keyring): Promise<Deployment> => {
  const { number } = await chain.fetchFinalHead();
  const administrator = await (number === 0 ? keyring.openWallet : keyring.requireWallet)('ledger-administrator');
  return findOrDeployLedger(chain, administrator, await readLedgerBytecode());
};

export interface IndexedChain {
  readonly keyring: Keyring;
  readonly chain: EmbeddedChain;
  readonly contract: Hex;
  readonly store: IndexStore;
  readonly follower: Follower;
  /** Closes what was opened, the last first. */
  close(): Promise<void>;
}

/** The chain of a data directory with the contract on it, and the index brought to its head, from nothing when `anew`. */
export const openIndexedChain = async (options: LedgerOptions, anew = false): Promise<IndexedChain> => {
  await using opened = new AsyncDisposableStack();
  const paths = dataPaths(options.dataDir);
  await createDirectories(options.dataDir);
  const keyring = await openKeyring(paths.keys);
  const chain = opened.adopt(await openChain(options, keyring), ({ close }) => close());
  const { address, deploymentBlock } = await findContract(chain, keyring);
  const store = opened.adopt(await createIndexStore(paths.index), ({ close }) => close());
  if (anew) await store.wipe();
  const follower = await createFollower({
    chain,
    store,
    contract: address,
    deploymentBlock,
    pageBlocks: PAGE_BLOCKS,
    onProgress: (done, total) => options.onStep({ title: 'indexing the chain', unit: 'blocks', done, total }),
    onWipe: (reason) => options.onProblem(`the index is wiped and rebuilt from the chain: ${reason}`),
  });
  await follower.catchUp();
  const all = opened.move();
  return { keyring, chain, contract: address, store, follower, close: () => all.disposeAsync() };
};

// Keeps the index at the chain's head whoever writes to it. Returns what ends that.
const followChain = (
  { chain, follower }: IndexedChain,
  onProblem: LedgerOptions['onProblem'],
): (() => Promise<void>) => {
  let following = Promise.resolve();
  const stop = chain.onFinalHead(() => {
    following = follower.catchUp().catch((cause) => onProblem('the index is behind the chain', cause));
  });
  return () => {
    stop();
    return following;
  };
};

const openWriter = async (
  { chain, contract, store, follower, keyring }: IndexedChain,
  { limits, onProblem, onBatch }: LedgerOptions,
  { outbox, wallets }: { outbox: Outbox; wallets: TenantWallets },
): Promise<RecordWriter> => {
  const relayer = await keyring.openWallet('relayer');
  const submission = createSubmission({ chain, contract, relayer, authorOf: wallets.authorOf });
  return createRecordWriter({
    outbox,
    submission: {
      submit: (entries) => {
        onBatch?.(entries.length);
        return submission.submit(entries);
      },
    },
    index: {
      catchUpTo: follower.catchUpTo,
      readCommitments: async (records) => readCommitments(store, records),
    },
    assertWritable: wallets.authorOf,
    waitMs: limits.commitWaitMs,
    batchRecordsMax: limits.batchRecordsMax,
    batchBytesMax: limits.batchBytesMax,
    onProblem,
  });
};

/** Opens everything. @throws Error when another process has the data directory open, or a key is missing. */
export const openLedger = async (options: LedgerOptions): Promise<Ledger> => {
  await using opened = new AsyncDisposableStack();
  const indexed = opened.adopt(await openIndexedChain(options), ({ close }) => close());
  const { keyring, chain, contract, store } = indexed;
  const wallets = await openTenantWallets(keyring);
  const directory = dataPaths(options.dataDir).outbox;
  const outbox = opened.adopt(
    await createOutbox({ directory, entriesMax: options.limits.outboxEntriesMax }),
    ({ close }) => close(),
  );
  for (const { tenantIdentity } of outbox.readEntries()) wallets.authorOf(tenantIdentity);
  opened.defer(followChain(indexed, options.onProblem));
  const writer = opened.adopt(await openWriter(indexed, options, { outbox, wallets }), ({ stop }) => stop());
  const view = createLedgerView({ store, outbox });
  const all = opened.move();
  const { dataDir } = options;
  return { dataDir, keyring, wallets, chain, contract, store, outbox, view, writer, close: () => all.disposeAsync() };
};
