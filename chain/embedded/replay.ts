// The replay of a chain that is open already. Meanwhile, requests that need the chain's state wait for it.
import { LedgerError } from '../../ledger/errors.ts';
import { RPC_CODE, RpcError } from '../jsonRpc/rpcError.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { Edr } from './edr.ts';
import type { Replayed, ReplayProgress } from './replayJournal.ts';

/** A replay in the background. */
export interface Replay {
  /** Rejects with the error that ended the replay. */
  readonly completed: Promise<Replayed>;
  /** The node whose requests wait for the replay, and reject when it failed. */
  readonly edr: Edr;
  /** Whether it has succeeded or failed. */
  isOver(): boolean;
  failure(): LedgerError | undefined;
  /** @throws LedgerError the error that ended the replay. */
  assertNotFailed(): void;
  /** @throws RpcError UNAVAILABLE, with the progress, while the replay is in progress. */
  assertOver(): void;
  /** Answers `eth_syncing` with the progress, and reads of the node with its state so far. */
  readStatus(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Ends the replay before its next group of blocks. */
  stop(): void;
  /** The same, resolved when the replay has ended. */
  end(): Promise<void>;
}

const toLedgerError = (cause: unknown): LedgerError =>
  cause instanceof LedgerError
    ? cause
    : new LedgerError('CHAIN_UNAVAILABLE', { message: 'The embedded chain could not be replayed', cause });

const waitBefore = (edr: Edr, completed: Promise<unknown>): Edr => ({
  request: async (method, params) => {
    await completed;
    return edr.request(method, params);
  },
  requestText: async (method, params) => {
    await completed;
    return edr.requestText(method, params);
  },
  requestAll: async (calls) => {
    await completed;
    return edr.requestAll(calls);
  },
});

/** Starts `run`, the replay of `blocksTotal` blocks on a node, which calls `onBlocks` now and then. */
export const createReplay = (
  edr: Edr,
  blocksTotal: number,
  run: (signal: AbortSignal, onBlocks: (progress: ReplayProgress) => void) => Promise<Replayed>,
): Replay => {
  const stopping = new AbortController();
  let failure: LedgerError | undefined;
  let isOver = false;
  let blocksDone = 0;
  const replay = async (): Promise<Replayed> => {
    try {
      return await run(stopping.signal, (progress) => {
        blocksDone = progress.blocksDone;
      });
    } catch (cause) {
      failure = toLedgerError(cause);
      throw failure;
    } finally {
      isOver = true;
    }
  };
  const completed = replay();
  const ended = completed.then(
    () => undefined,
    () => undefined,
  );
  const stop = (): void => stopping.abort(new LedgerError('STOPPING'));
  return {
    completed,
    edr: waitBefore(edr, completed),
    isOver: () => isOver,
    failure: () => failure,
    assertNotFailed: () => {
      if (failure !== undefined) throw failure;
    },
    assertOver: () => {
      if (isOver) return;
      const message = `the chain is being replayed, ${blocksDone} of ${blocksTotal} blocks; send the request again later`;
      throw new RpcError(RPC_CODE.UNAVAILABLE, message);
    },
    readStatus: async (method, params) => {
      if (method !== 'eth_syncing') return edr.request(method, params);
      const [currentBlock, highestBlock] = [toQuantity(blocksDone), toQuantity(blocksTotal)];
      return { startingBlock: toQuantity(0), currentBlock, highestBlock };
    },
    stop,
    end: () => {
      stop();
      return ended;
    },
  };
};
