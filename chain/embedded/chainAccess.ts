// Controls access to the chain: one producer at a time and no reader beside it, no access to the newest state while the
// journal lacks a block that memory has, and none at all after a failure or a close.
import { LedgerError } from '../../ledger/errors.ts';
import { createWriteRecovery, type WriteRecoveryOptions } from '../leveldb/writeRecovery.ts';
import { type BlockProducer, type ProducedTransaction, type TryFirst, UnwrittenBlock } from './blockProducer.ts';
import { EngineEnded } from './engine/engine.ts';
import { createReadWriteLock, type LockPriority } from './readWriteLock.ts';

/** Access to one chain. */
export interface ChainAccess {
  /**
   * For reads of blocks that are in the journal.
   * @throws LedgerError CHAIN_UNAVAILABLE after a failure or `close`.
   */
  assertRunning(): void;
  /** The reason why the chain accepts no transactions now; undefined when it does. */
  findHealthIssue(): string | undefined;
  /**
   * Produces a block alone, before waiting third-party tasks; with `admit`, in turn with those and after `admit`
   * resolves, whose result `produce` gets. Passes on its rejection. Rejects with CHAIN_UNAVAILABLE while the journal
   * lacks the block before. Any rejection of `produce` except TRANSACTION_REFUSED, `UnwrittenBlock` and `EngineEnded`
   * stops the chain.
   */
  submit(raw: Uint8Array, admit?: () => Promise<TryFirst | undefined>): Promise<ProducedTransaction>;
  /** Runs a read of the newest state while no block is being produced and the journal has every block. */
  read<T>(task: () => Promise<T>, priority?: LockPriority): Promise<T>;
  /**
   * Waits for the block that is being produced, refuses everything after it, and releases. Later calls return the same
   * promise.
   */
  close(): Promise<void>;
}

/** Options of the access to a chain. */
export interface ChainAccessOptions {
  readonly produce: BlockProducer['produce'];
  /** Writes the block that the journal failed to store. */
  readonly recover: () => Promise<void>;
  /** Called once, at the close. */
  readonly release: () => Promise<void>;
  readonly onProblem: WriteRecoveryOptions['onProblem'];
  /** Milliseconds between two attempts to recover. */
  readonly recoveryPeriodMs?: number | undefined;
}

// Nothing was mined; what an engine was mining when it ended, neither the journal nor the next one has.
const isWithoutBlock = (error: unknown): boolean =>
  error instanceof EngineEnded || (error instanceof LedgerError && error.code === 'TRANSACTION_REFUSED');

/** Access to a chain that `produce` extends. */
export const createChainAccess = (options: ChainAccessOptions): ChainAccess => {
  const { onProblem, recoveryPeriodMs: periodMs } = options;
  const lock = createReadWriteLock();
  let stopped: LedgerError | undefined;
  let closing: Promise<void> | undefined;
  const recovery = createWriteRecovery({
    what: "the chain's journal",
    recover: () => lock.exclusive(options.recover),
    onProblem,
    periodMs,
  });

  const assertRunning = (): void => {
    if (stopped !== undefined) throw stopped;
  };

  const assertWritten = (): void => {
    assertRunning();
    const cause = recovery.failure();
    if (cause === undefined) return;
    const { message, retryAfterMs } = cause;
    throw new LedgerError('CHAIN_UNAVAILABLE', { message, cause, ...(retryAfterMs !== undefined && { retryAfterMs }) });
  };

  const stop = (message: string, cause?: unknown): void => {
    stopped ??= new LedgerError('CHAIN_UNAVAILABLE', { message, cause });
  };

  const handleFailure = (error: unknown): void => {
    if (error instanceof UnwrittenBlock) recovery.begin(error);
    else if (!isWithoutBlock(error))
      stop('The embedded chain has stopped, since memory and journal may differ; restart the server', error);
  };

  const produce: ChainAccess['submit'] = async (raw, admit) => {
    assertWritten();
    const tryFirst = await admit?.();
    try {
      return await options.produce(raw, tryFirst);
    } catch (error) {
      handleFailure(error);
      throw error;
    }
  };

  const close = async (): Promise<void> => {
    await recovery.stop();
    await lock.exclusive(async () => {
      stop('The embedded chain is closed');
      await options.release();
    });
  };

  return {
    assertRunning,
    findHealthIssue: () => (stopped ?? recovery.failure())?.message,
    submit: (raw, admit) => lock.exclusive(() => produce(raw, admit), admit === undefined ? 'ledger' : 'thirdParty'),
    read: (task, priority) =>
      lock.shared(async () => {
        assertWritten();
        return task();
      }, priority),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
};
