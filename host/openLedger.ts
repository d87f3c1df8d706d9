// Composes the ledger of one data directory: chain, contract, index, outbox and writer. No HTTP here.
import { mkdir } from 'node:fs/promises';
import type { Deployment } from '../chain/administration.ts';
import type { EmbeddedChain } from '../chain/embedded/embeddedChain.ts';
import type { RpcChain } from '../chain/network/rpcChain.ts';
import type { ChainPort } from '../chain/port.ts';
import { createOutbox, type Outbox } from '../chain/writing/outbox.ts';
import { readCommittedBlock, writeCommittedBlock } from '../chain/writing/outboxStore.ts';
import { createRecordWriter, type RecordWriter } from '../chain/writing/recordWriter.ts';
import { createSubmission, GAS_OF_LARGEST_RECORD, toBatchLimits } from '../chain/writing/submission.ts';
import { createTransactionSender, type TransactionSender } from '../chain/writing/transactionSender.ts';
import { createFollower, type Follower } from '../indexer/follower.ts';
import type { LedgerView } from '../indexer/ledgerView.ts';
import { createLedgerView } from '../indexer/reads/createLedgerView.ts';
import { readCommitments } from '../indexer/reads/recordReads.ts';
import type { IndexStore } from '../indexer/store.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { excludeUnknownAuthors } from './checks/authorCheck.ts';
import { awaitClock, toHeldMs, toNewestMs } from './checks/clockCheck.ts';
import { findEmbeddedLedger, openEmbedded } from './embeddedLedger.ts';
import { dataPaths } from './files/dataPaths.ts';
import { lockDirectory } from './files/directoryLock.ts';
import { type FoundIndex, inspectIndex, openIndex, watchIndexFiles } from './files/indexFiles.ts';
import { type Keyring, openKeyring } from './keyring.ts';
import { assertChainKind } from './knownLedger.ts';
import type { IndexingLimits, LedgerOptions } from './ledgerOptions.ts';
import { findNetworkLedger, type NetworkOptions, openNetwork } from './networkLedger.ts';
import { assertRepaired } from './repair/repairFiles.ts';
import { createSteadyClock, type SteadyClock } from './steadyClock.ts';
import { openTenantWallets, type TenantWallets } from './wallets/tenantWallets.ts';

/**
 * The chain of a ledger. Only the embedded chain answers third parties, has a beneficiary of this installation, and a
 * journal.
 */
export type LedgerChain = ChainPort &
  Partial<Pick<EmbeddedChain, 'answer' | 'coinbase' | 'copyJournalTo' | 'findHealthIssue' | 'replayedUntilSeconds'>>;

/** An open ledger. */
export interface Ledger {
  readonly dataDir: string;
  readonly keyring: Keyring;
  readonly wallets: TenantWallets;
  readonly chain: LedgerChain;
  readonly contract: Hex;
  /** Pays for all transactions where gas costs something. */
  readonly relayer: TransactionSender;
  readonly store: IndexStore;
  readonly outbox: Outbox;
  readonly view: LedgerView;
  readonly writer: RecordWriter;
  /** Milliseconds since the epoch; never before the newest record, even if the machine's clock is set back. */
  now(): number;
  close(): Promise<void>;
}

const INDEXING: IndexingLimits = { pageBlocks: 64 };
/** When the outbox gets a record of the embedded chain whose block the journal doesn't have yet. */
const STORE_AFTER_MS = 250;
/** Pause before the index retries to catch up. */
const FOLLOW_RETRY_MS = 1_000;

const createDirectories = async (dataDir: string): Promise<void> => {
  const { keys, index, outbox } = dataPaths(dataDir);
  for (const path of [dataDir, keys, index, outbox]) await mkdir(path, { recursive: true, mode: 0o700 });
};

interface ChainOfLedger {
  readonly chain: LedgerChain;
  findContract(keyring: Keyring): Promise<Deployment>;
  /**
   * @throws LedgerError CHAIN_UNAVAILABLE when the index is ahead of all nodes: its records may be on the chain
   * nevertheless.
   */
  assertReached(blockNumber: number): Promise<void>;
}

const openNetworkChain = async ({ dataDir, now, onProblem }: LedgerOptions, network: NetworkOptions['network']) => {
  const chain: RpcChain = await openNetwork({ dataDir, network, now, onProblem });
  const assertReached = async (blockNumber: number): Promise<void> => {
    if ((await chain.fetchBlockHash(blockNumber)) !== undefined) return;
    const message =
      `the index has block ${blockNumber}, and no node has it: they are behind, or the chain has lost blocks. Wait until they ` +
      'have caught up; npm run rebuild uses the chain as it is now';
    throw new LedgerError('CHAIN_UNAVAILABLE', { message });
  };
  return { chain, findContract: (keyring: Keyring) => findNetworkLedger(dataDir, chain, keyring), assertReached };
};

const openChain = async (options: LedgerOptions, keyring: Keyring, index: FoundIndex): Promise<ChainOfLedger> => {
  if (options.network !== undefined) return openNetworkChain(options, options.network);
  const chain = await openEmbedded(options, keyring, index);
  const find = (): Promise<Deployment> => findEmbeddedLedger(options.dataDir, chain, keyring);
  // Its journal has been compared with the index.
  return { chain, findContract: find, assertReached: async () => undefined };
};

/** An open chain with the contract on it and its index. */
export interface IndexedChain {
  readonly keyring: Keyring;
  readonly chain: LedgerChain;
  readonly contract: Hex;
  readonly deployment: Deployment;
  readonly store: IndexStore;
  readonly follower: Follower;
  /** Closes everything in reverse order. */
  close(): Promise<void>;
}

// The index isn't synced: after a power failure, records may be neither in it nor in the outbox. A node that is behind
// doesn't have them either.
const refuseBehind = (committedBlock: number): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', {
    message:
      `block ${committedBlock} has records that are no longer in the outbox, and is not final at the nodes: they are behind, or ` +
      'the chain has lost blocks. Wait until they have caught up; npm run rebuild uses the chain as it is now',
  });

/**
 * Opens the chain of a data directory, finds the contract on it, and brings the index to its head; `rebuilds` wipes the
 * index first.
 * @throws LedgerError CHAIN_UNAVAILABLE when the final chain lacks a block whose records left the outbox. With
 * `rebuilds`, the chain counts as it is now.
 */
export const openIndexedChain = async (
  options: LedgerOptions,
  { rebuilds } = { rebuilds: false },
): Promise<IndexedChain> => {
  await using opened = new AsyncDisposableStack();
  const paths = dataPaths(options.dataDir);
  assertChainKind(options.dataDir, options.network === undefined ? 'embedded' : 'network');
  await createDirectories(options.dataDir);
  opened.defer(await lockDirectory(options.dataDir));
  assertRepaired(options.dataDir);
  const committedBlock = await readCommittedBlock(paths.outbox);
  const keyring = await openKeyring(paths.keys);
  const found = await inspectIndex(paths.index, (done, total) =>
    options.onStep({ title: 'checking the index', unit: 'bytes', done, total }),
  );
  const { chain, ...ofLedger } = opened.adopt(await openChain(options, keyring, found), ({ chain: { close } }) =>
    close(),
  );
  const deployment = await ofLedger.findContract(keyring);
  const { address, deploymentBlock } = deployment;
  const store = opened.adopt(
    await openIndex(paths.index, found, options.onProblem, options.indexCacheBytes),
    ({ close }) => close(),
  );
  if (rebuilds) await store.wipe();
  await ofLedger.assertReached(store.readCursor()?.blockNumber ?? 0);
  const follower = await createFollower({
    chain,
    store,
    contract: address,
    deploymentBlock,
    ...(options.indexing ?? INDEXING),
    startDecoder: options.startDecoder,
    onProgress: (done, total) => options.onStep({ title: 'indexing the chain', unit: 'blocks', done, total }),
    onWipe: (reason) => options.onProblem(`the index is wiped and rebuilt from the chain: ${reason}`),
  });
  await follower.catchUp();
  const indexed = store.readCursor()?.blockNumber ?? 0;
  if (indexed < committedBlock) {
    if (!rebuilds) throw refuseBehind(committedBlock);
    await writeCommittedBlock(paths.outbox, indexed);
  }
  const all = opened.move();
  return { keyring, chain, contract: address, deployment, store, follower, close: () => all.disposeAsync() };
};

// Keeps the index at the chain's head, also when third parties write to the chain. Returns a function that ends it.
const followChain = (
  { chain, store, follower }: IndexedChain,
  onProblem: LedgerOptions['onProblem'],
): (() => Promise<void>) => {
  let following = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isBehind = false;
  const followOnce = async (): Promise<void> => {
    try {
      const isDamaged = !store.damage.isComplete();
      await follower.catchUp();
      // A run that had begun before the damage was found ends without a rebuild.
      if (!store.damage.isComplete()) await follower.catchUp();
      if (isDamaged) onProblem('the index has been rebuilt');
      if (isBehind) onProblem('the index has caught up with the chain again');
      isBehind = false;
    } catch (cause) {
      if (!isBehind) onProblem('the index is behind the chain', cause);
      isBehind = true;
      if (!isStopped) retry = setTimeout(follow, FOLLOW_RETRY_MS);
    }
  };
  const follow = (): void => {
    clearTimeout(retry);
    following = followOnce();
  };
  const stop = chain.onFinalHead(follow);
  store.damage.onFound(follow);
  return () => {
    isStopped = true;
    stop();
    clearTimeout(retry);
    return following;
  };
};

/**
 * The account that sends all transactions.
 * @throws LedgerError RELAYER_UNFUNDED when it can't pay for the largest record.
 */
const openRelayer = async ({ chain, contract, keyring }: IndexedChain): Promise<TransactionSender> => {
  const relayer = createTransactionSender(chain, await keyring.openWallet('relayer'));
  const largest = { from: relayer.address, to: contract, data: new Uint8Array(0), gasLimit: GAS_OF_LARGEST_RECORD };
  const { gasLimit } = await chain.fetchBid(largest);
  if (gasLimit >= GAS_OF_LARGEST_RECORD) return relayer;
  const message = `a transaction may use ${gasLimit} gas on this chain, and the largest record needs ${GAS_OF_LARGEST_RECORD}`;
  throw new LedgerError('TRANSACTION_REFUSED', { message });
};

const openWriter = (
  { chain, contract, store, follower }: IndexedChain,
  { limits, network, onProblem, onBatch }: LedgerOptions,
  { outbox, wallets, relayer }: { outbox: Outbox; wallets: TenantWallets; relayer: TransactionSender },
): RecordWriter => {
  const submission = createSubmission({ chain, contract, relayer, authorOf: wallets.authorOf });
  return createRecordWriter({
    outbox,
    submission: {
      ...submission,
      submit: (entries, ...rest) => {
        onBatch?.(entries);
        return submission.submit(entries, ...rest);
      },
    },
    index: {
      catchUpTo: follower.catchUpTo,
      readCommitments: async (records) => {
        store.damage.assertComplete();
        return readCommitments(store, records);
      },
    },
    assertWritable: (tenantIdentity) => {
      chain.assertSame();
      wallets.authorOf(tenantIdentity);
    },
    waitMs: limits.commitWaitMs,
    ...toBatchLimits(chain, limits),
    // A block of the embedded chain is final at once.
    minedBatchesMax: network === undefined ? 1 : limits.minedBatchesMax,
    storeAfterMs: network === undefined ? STORE_AFTER_MS : undefined,
    isPooled: network !== undefined,
    onProblem,
  });
};

const createLedgerClock = ({ now, onProblem }: LedgerOptions): SteadyClock =>
  createSteadyClock({
    now,
    onSetBack: (byMs) =>
      onProblem(`the clock was set back by ${Math.round(byMs / 1_000)} s; times stay constant until it has caught up`),
  });

const assertClock = async (options: LedgerOptions, chain: LedgerChain, outbox: Outbox, clock: SteadyClock) => {
  const written = { acceptedMs: outbox.newestAcceptedMs(), blockSeconds: chain.replayedUntilSeconds };
  await awaitClock({ ...options, newestMs: toNewestMs(written) });
  clock.holdAt(toHeldMs(written));
};

/**
 * Opens everything.
 * @throws ClockSetBackError, and Error when another process has the data directory open, or a key is missing.
 */
export const openLedger = async (options: LedgerOptions): Promise<Ledger> => {
  await using opened = new AsyncDisposableStack();
  const clock = createLedgerClock(options);
  const indexed = opened.adopt(await openIndexedChain({ ...options, now: clock.now }), ({ close }) => close());
  const { keyring, chain, contract, store } = indexed;
  const wallets = await openTenantWallets(keyring);
  await excludeUnknownAuthors(indexed, wallets, options.onProblem);
  const directory = dataPaths(options.dataDir).outbox;
  const outbox = opened.adopt(
    await createOutbox({ directory, entriesMax: options.limits.outboxEntriesMax, onProblem: options.onProblem }),
    ({ close }) => close(),
  );
  await assertClock(options, chain, outbox, clock);
  for (const { tenantIdentity } of outbox.readEntries()) wallets.authorOf(tenantIdentity);
  opened.defer(followChain(indexed, options.onProblem));
  opened.defer(watchIndexFiles(dataPaths(options.dataDir).index, store, options.onProblem));
  const relayer = await openRelayer(indexed);
  const writer = opened.adopt(openWriter(indexed, options, { outbox, wallets, relayer }), ({ stop }) => stop());
  const view = createLedgerView({ store, outbox });
  const all = opened.move();
  const { dataDir } = options;
  const close = (): Promise<void> => all.disposeAsync();
  return { dataDir, keyring, wallets, chain, contract, relayer, store, outbox, view, writer, now: clock.now, close };
};
