// Who may use the chain, and when: one producer at a time, no reader beside it, and nobody at all after a failure or a close.
import { LedgerError } from '../../ledger/errors.ts';
import type { ProducedTransaction } from './blockProducer.ts';
import { createGate } from './gate.ts';

export interface ChainLife {
  /** @throws LedgerError CHAIN_UNAVAILABLE after a failure or `close`. */
  assertRunning(): void;
  /** Produces a block alone. Any rejection but TRANSACTION_REFUSED stops the chain for good. */
  submit(raw: Uint8Array): Promise<ProducedTransaction>;
  /** Runs a read while no block is in the making. */
  read<T>(task: () => Promise<T>): Promise<T>;
  /** Waits for the block in the making, refuses everything after, and releases. Again: the same. */
  close(): Promise<void>;
}

/** Life of a chain that `produce` extends; `release` runs once, at the close. */
export const createChainLife = (options: {
  produce: (raw: Uint8Array) => Promise<ProducedTransaction>;
  release: () => Promise<void>;
}): ChainLife => {
  const gate = createGate();
  let stopped: LedgerError | undefined;
  let closing: Promise<void> | undefined;

  const assertRunning = (): void => {
    if (stopped !== undefined) throw stopped;
  };

  const stop = (message: string, cause?: unknown): void => {
    stopped ??= new LedgerError('CHAIN_UNAVAILABLE', { message, cause });
  };

  const produce = async (raw: Uint8Array): Promise<ProducedTransaction> => {
    assertRunning();
    try {
      return await options.produce(raw);
    } catch (error) {
      const isRefusal = error instanceof LedgerError && error.code === 'TRANSACTION_REFUSED';
      if (!isRefusal)
        stop('The embedded chain has stopped, since memory and journal may differ; restart the server', error);
      throw error;
    }
  };

  const release = async (): Promise<void> => {
    stop('The embedded chain is closed');
    await options.release();
  };

  return {
    assertRunning,
    submit: (raw) => gate.exclusive(() => produce(raw)),
    read: (task) =>
      gate.shared(async () => {
        assertRunning();
        return task();
      }),
    close: () => {
      closing ??= gate.exclusive(release);
      return closing;
    },
  };
};
