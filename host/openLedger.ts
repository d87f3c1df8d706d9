// Composes the ledger of one data directory: chain and index, outbox and writer. No HTTP here.
import { wasEverWriter } from '../chain/administration.ts';
import { isWriter } from '../chain/isWriter.ts';
import type { RecordWaits } from '../chain/recordWaits.ts';
import { createAppendGas } from '../chain/writing/appendGas.ts';
import { createOutbox, type Outbox } from '../chain/writing/outbox.ts';
import { createRecordWriter, type RecordWriter } from '../chain/writing/recordWriter.ts';
import { createSubmission } from '../chain/writing/submission.ts';
import type { TransactionSender } from '../chain/writing/transactionSender.ts';
import { createWaitingEntries } from '../chain/writing/waitingEntries.ts';
import type { Follower } from '../indexer/follower.ts';
import { createLedgerView } from '../indexer/reads/createLedgerView.ts';
import { createTreeView } from '../indexer/reads/createTreeView.ts';
import { readCommitments, readOthers } from '../indexer/reads/recordReads.ts';
import type { ServedView } from '../indexer/sharingView.ts';
import type { IndexStore } from '../indexer/store.ts';
import type { TreeView } from '../indexer/treeView.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { toBatchBounds } from './batchBounds.ts';
import { checkWriters, excludeUnknownAuthors } from './checks/authorCheck.ts';
import { dataPaths } from './files/dataPaths.ts';
import { watchIndexFiles } from './files/indexFiles.ts';
import { followChain } from './followedChain.ts';
import type { GoneRecords } from './gone/goneRecords.ts';
import { withReturnCheck } from './gone/returnedRecords.ts';
import { createHeadCatchUp } from './headCatchUp.ts';
import { type IndexedChain, type LedgerChain, openUnconfirmedChain } from './indexedChain.ts';
import type { Keyring } from './keyring.ts';
import { assertClock, createLedgerClock, watchClock } from './ledgerClock.ts';
import type { LedgerOptions } from './ledgerOptions.ts';
import { NETWORK_TIMES } from './networkLedger.ts';
import { openRelayer } from './openRelayer.ts';
import { findMemoryReserve, openRecordQuota } from './recordBounds.ts';
import { listOwnTenants, type Serving } from './servedTenants.ts';
import { beginCompletion, type StartCompletion } from './startCompletion.ts';
import { createRemovedWriters, type RemovedWriters } from './wallets/removedWriters.ts';
import type { TenantWallets } from './wallets/tenantWallets.ts';
import { watchWriters } from './wallets/writerWatch.ts';

/** An open ledger. */
export interface Ledger extends Pick<Follower, 'findUnproven'> {
  readonly dataDir: string;
  readonly keyring: Keyring;
  readonly wallets: TenantWallets;
  /** The tenants that it serves; only their records are in its index. */
  readonly serving: Serving;
  readonly chain: LedgerChain;
  readonly contract: Hex;
  /** Issuer of its own tokens and principals. */
  readonly issuer: string;
  /** Whether another installation deployed it, and admits its tenants. */
  readonly isJoined: boolean;
  /** Number of the block with the contract's deployment. */
  readonly deploymentBlock: number;
  /** Pays for all transactions where gas costs something. */
  readonly relayer: TransactionSender;
  readonly store: IndexStore;
  /** Resolves when reads show a final block. */
  readonly catchUpTo: Follower['catchUpTo'];
  /**
   * Brings reads to the final head of now. Resolves to false when the chain doesn't answer in time. Undefined on the
   * embedded chain, whose blocks are shown at once.
   */
  readonly catchUp: (() => Promise<boolean>) | undefined;
  readonly outbox: Outbox;
  readonly view: ServedView;
  /** The trees of its tenants, for evidence files. */
  readonly trees: TreeView;
  readonly writer: RecordWriter;
  /** The records that were final, and that the chain no longer has. */
  readonly gone: GoneRecords;
  /** The refusal of a chain that has replaced a final block; undefined while it hasn't. */
  findReplaced(): LedgerError | undefined;
  /** Number of the tenants whose writes are refused because their key here is no writer. */
  unavailableAuthors(): number;
  /** The rest of the start: on the embedded chain the replay, and what needs the state of the chain. */
  readonly completion: StartCompletion;
  /**
   * Milliseconds since the epoch; never before the newest record, even if the machine's clock is set back, except for
   * records whose times an operator has accepted as ahead.
   */
  now(): number;
  /** Milliseconds by which the machine's clock has jumped forward since the start, if over an hour. */
  findClockJump(): number | undefined;
  /** Whether records are refused because too little memory is free. */
  isMemoryReserved(): boolean;
  close(): Promise<void>;
}

/** When the outbox gets a record of the embedded chain whose block the journal doesn't have yet. */
const STORE_AFTER_MS = 250;
/** While the relayer can't pay, it isn't the chain that records wait for. */
const NO_WAITS: RecordWaits = { unmined: undefined, unfinal: undefined };
/** The embedded chain has no receipts to learn from, and gas is free there. */
const EMBEDDED_GAS_PERCENT = 200;

// What a check refuses with; undefined if it passes.
const toRefusal = (check: () => void): LedgerError | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
};

// Records would be appended to a chain that the index doesn't follow.
const assertNotReplaced = ({ findReplaced }: Pick<Follower, 'findReplaced'>): void => {
  const replaced = findReplaced();
  if (replaced !== undefined) throw replaced;
};

const openWriter = (
  { chain, contract, store, follower, wallets, serving }: IndexedChain,
  options: LedgerOptions,
  {
    outbox,
    relayer,
    completion,
    removedWriters,
  }: Pick<Ledger, 'outbox' | 'relayer' | 'completion'> & { readonly removedWriters: RemovedWriters },
  now: () => number,
): RecordWriter => {
  const { limits, network, onProblem, onBatch, onFailedAttempt } = options;
  const isEmbedded = network === undefined;
  const gas = createAppendGas(chain, isEmbedded ? EMBEDDED_GAS_PERCENT : undefined);
  const { authorOf } = wallets;
  const assertSignable = (tenantIdentity: string): void => {
    serving.assertServed(tenantIdentity);
    authorOf(tenantIdentity);
  };
  const waits = createWaitingEntries(now, outbox.readEntries());
  const submission = createSubmission({ chain, contract, relayer, authorOf, hasSendingAuthors: isEmbedded, gas });
  const writer = createRecordWriter({
    outbox,
    waits,
    submission: {
      ...submission,
      submit: async (entries, ...rest) => {
        onBatch?.(entries);
        return submission.submit(entries, ...rest);
      },
      findRemovedAuthor: removedWriters.check,
    },
    index: {
      catchUpTo: follower.catchUpTo,
      readCommitments: async (records) => {
        store.damage.assertComplete();
        return readCommitments(store, records);
      },
      readOthers: async (records) => {
        store.damage.assertComplete();
        return readOthers(store, records);
      },
    },
    assertWritable: (tenantIdentity) => {
      completion.assertNotFailed();
      chain.assertSame();
      assertNotReplaced(follower);
      assertSignable(tenantIdentity);
      removedWriters.assertWriter(tenantIdentity);
      findMemoryReserve(options)?.assertFree();
    },
    findUnsignable: (tenantIdentity) => toRefusal(() => assertSignable(tenantIdentity)),
    whenReady: completion.wait,
    quota: openRecordQuota(options, store, outbox, now),
    waitMs: limits.commitWaitMs,
    ...toBatchBounds(limits, chain.transactionBytesMax, isEmbedded),
    measureTransaction: gas.measureTransaction,
    storeAfterMs: isEmbedded ? STORE_AFTER_MS : undefined,
    isPooled: !isEmbedded,
    onProblem,
    onFailedAttempt,
  });
  chain.watchRecords?.(() => (writer.findObstacle() === undefined ? waits.readOldest() : NO_WAITS));
  return writer;
};

// Which authors the contract knows is known after the replay; nothing is submitted before.
const complete = async (
  indexed: IndexedChain,
  removedWriters: RemovedWriters,
  onProblem: LedgerOptions['onProblem'],
): Promise<void> => {
  await indexed.confirm();
  await excludeUnknownAuthors(indexed, indexed.wallets, onProblem);
  await checkWriters(indexed.store, indexed.wallets, removedWriters);
};

const openRemovedWriters = (
  { chain, contract, wallets }: IndexedChain,
  onProblem: LedgerOptions['onProblem'],
): RemovedWriters =>
  createRemovedWriters(async (tenantIdentity) => {
    const { address } = wallets.authorOf(tenantIdentity);
    return (await isWriter(chain, contract, tenantIdentity, address)) ? undefined : address;
  }, onProblem);

const watchAuthors = (
  { chain, contract, deployment, wallets, serving }: IndexedChain,
  { check }: RemovedWriters,
  { completed }: StartCompletion,
) =>
  watchWriters({
    chain,
    begun: completed.then(chain.fetchFinalHead),
    tenantIdentities: () => listOwnTenants({ wallets, serving }),
    isWriter: async (tenantIdentity, blockNumber) =>
      isWriter(chain, contract, tenantIdentity, wallets.authorOf(tenantIdentity).address, blockNumber),
    wasWriter: async (tenantIdentity) =>
      wasEverWriter(chain, deployment, tenantIdentity, wallets.authorOf(tenantIdentity).address),
    onRemoved: check,
  });

const endStart = async (chain: LedgerChain, { stop, completed }: StartCompletion): Promise<void> => {
  chain.stopReplay?.();
  stop();
  await Promise.allSettled([completed]);
};

const openOutbox = ({ dataDir, limits, onProblem }: LedgerOptions): Promise<Outbox> =>
  createOutbox({
    directory: dataPaths(dataDir).outbox,
    entriesMax: limits.outboxEntriesMax,
    bytesMax: limits.outboxBytesMax,
    failedMax: limits.outboxFailedMax,
    onProblem,
  });

/**
 * Opens everything. On the embedded chain it resolves while the chain may still be replayed, if the index has all
 * blocks of the journal or gets them from logs that were kept: reads are answered, and records are accepted and
 * committed when `completion` resolves.
 * @throws ClockSetBackError, and Error when another process has the data directory open, or a key is missing.
 */
export const openLedger = async (options: LedgerOptions): Promise<Ledger> => {
  await using opened = new AsyncDisposableStack();
  const { dataDir, onProblem } = options;
  const clock = createLedgerClock(options);
  const indexed = opened.adopt(await openUnconfirmedChain({ ...options, now: clock.now }), ({ close }) => close());
  const { keyring, wallets, serving, chain, contract, issuer, isJoined, store } = indexed;
  const { deploymentBlock } = indexed.deployment;
  const outbox = opened.adopt(await openOutbox(options), ({ close }) => close());
  await assertClock(options, indexed, outbox, clock);
  const clockWatch = watchClock(options);
  opened.defer(clockWatch.stop);
  const removedWriters = openRemovedWriters(indexed, onProblem);
  const completion = await beginCompletion(options, () => complete(indexed, removedWriters, onProblem));
  const endCompletion = () => endStart(chain, completion);
  opened.defer(endCompletion);
  opened.defer(followChain(withReturnCheck(indexed, onProblem), onProblem));
  opened.defer(chain.onFinalHead(() => void removedWriters.checkAgain()));
  opened.defer(watchAuthors(indexed, removedWriters, completion));
  opened.defer(watchIndexFiles(dataPaths(dataDir).index, store, onProblem));
  const relayer = await openRelayer(indexed, options, outbox);
  const writer = opened.adopt(
    openWriter(indexed, options, { outbox, relayer, completion, removedWriters }, clock.now),
    ({ stop }) => stop(),
  );
  opened.defer(chain.onFinalHead(writer.resumeParked));
  const pool = options.startReadPool?.(dataPaths(dataDir).index, onProblem);
  if (pool !== undefined) store.share(pool);
  const view = createLedgerView({ store, outbox, assertReadable: completion.assertNotFailed, pool });
  const trees = createTreeView(store, completion.assertNotFailed);
  // First, because what is closed then may wait for the replay.
  opened.defer(endCompletion);
  const { now } = clock;
  const { catchUpTo, refresh, findReplaced, findUnproven } = indexed.follower;
  const waitMs = options.network?.timeoutMs ?? NETWORK_TIMES.timeoutMs;
  const catchUp = options.network && createHeadCatchUp({ refresh, waitMs });
  const parts = {
    keyring,
    wallets,
    serving,
    chain,
    contract,
    deploymentBlock,
    issuer,
    isJoined,
    relayer,
    store,
    gone: indexed.gone,
    catchUpTo,
    catchUp,
    outbox,
    view,
    trees,
    writer,
    unavailableAuthors: () => removedWriters.count() + wallets.excludedCount(),
    findReplaced: () => findReplaced() ?? chain.findReplaced?.(),
    findUnproven,
  };
  const all = opened.move();
  const { findJump: findClockJump } = clockWatch;
  const isMemoryReserved = (): boolean => findMemoryReserve(options)?.isReached() === true;
  return { dataDir, ...parts, completion, now, findClockJump, isMemoryReserved, close: () => all.disposeAsync() };
};
