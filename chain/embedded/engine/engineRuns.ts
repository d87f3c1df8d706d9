// The engines of one chain, one after the other. Each executes the journal first; meanwhile, requests that need the
// chain's state wait for it. When an engine ends by itself, another one is started, after a pause that grows, until too
// many in a row have ended before they had the chain.
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '../../../ledger/errors.ts';
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import { toQuantity } from '../../jsonRpc/toQuantity.ts';
import type { Replayed, ReplayProgress } from '../replayJournal.ts';
import { type ChainEngine, EngineEnded } from './engine.ts';
import type { Edr } from './toEdr.ts';

/** What is known about the engines. */
export interface EngineState {
  /** Whether an engine has the whole chain. */
  readonly isReady: boolean;
  /** Engines that have ended by themselves. */
  readonly endedCount: number;
  /** Bytes of memory that the engine uses besides this process. */
  readonly memoryBytes: number;
}

/** The engines of one chain. */
export interface EngineRuns {
  /**
   * Starts the first engine.
   * @throws EngineEnded when too many engines have ended before one answered.
   */
  open(): Promise<void>;
  /** Begins the first replay. */
  begin(): void;
  /** Resolves with the state after the first replay; rejects with the error that ended all of them. */
  readonly completed: Promise<Replayed>;
  /** The node whose requests wait for a replay that is in progress, and reject after the last one failed. */
  readonly edr: Edr;
  /** Frees the memory of answers that nobody uses any more. */
  collectAnswers(): Promise<void>;
  /** Whether no replay is in progress: an engine has the chain, or none will. */
  isOver(): boolean;
  failure(): LedgerError | undefined;
  /** @throws LedgerError the error that ended all of them. */
  assertNotFailed(): void;
  /** @throws RpcError UNAVAILABLE, with the progress, while a replay is in progress. */
  assertOver(): void;
  /** Answers `eth_syncing` with the progress, and reads of the node with its state so far. */
  readStatus(method: string, params: readonly unknown[]): Promise<unknown>;
  readState(): EngineState;
  /** Ends a replay before its next group of blocks; no further engine is started. */
  stop(): void;
  /** The same, resolved when it has ended. */
  end(): Promise<void>;
  /** Closes the engine. */
  close(): Promise<void>;
}

/** Options of the engines. */
export interface EngineRunsOptions {
  /** Starts an engine at the genesis block of the journal. */
  readonly start: () => Promise<ChainEngine>;
  /** Executes the journal, when it can be read to its end. */
  readonly replay: (
    engine: ChainEngine,
    signal: AbortSignal,
    onBlocks: (progress: ReplayProgress) => void,
  ) => Promise<Replayed>;
  /** Number of blocks of the journal. */
  readonly blocksTotal: () => number;
  /** Called when an engine has ended, and when the next one has the chain. */
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** Called when no further engine is started, because too many have ended in a row. */
  readonly onGivenUp?: ((cause: LedgerError) => void) | undefined;
  /**
   * Milliseconds before each further engine, the last for all after it. When as many engines in a row have ended before
   * they had the chain, no further one is started.
   */
  readonly pausesMs?: readonly number[] | undefined;
}

/** The first is started at once: most ends are of one request. */
const PAUSES_MS = [0, 1_000, 5_000, 15_000, 60_000];
/** An engine that ends so many milliseconds after the one before has a short pause again. */
const STABLE_MS = 600_000;

const toFailure = (cause: unknown): LedgerError => {
  if (cause instanceof EngineEnded) {
    const message = 'The engine of the embedded chain has ended too often; restart the server';
    return new LedgerError('CHAIN_UNAVAILABLE', { message, cause: cause.cause });
  }
  if (cause instanceof LedgerError) return cause;
  return new LedgerError('CHAIN_UNAVAILABLE', { message: 'The embedded chain could not be replayed', cause });
};

// The pauses grow while engines end one soon after the other. Those that had the chain are no reason to give up: what
// ends them is a request, and between two of them records are committed.
const createPauses = (pausesMs: readonly number[]) => {
  let ended = 0;
  let withoutChain = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    /** Milliseconds before the next engine, after one that had the chain or not; undefined: there is no next one. */
    next: (hadChain: boolean): number | undefined => {
      const nowMs = performance.now();
      ended = nowMs - lastMs > STABLE_MS ? 1 : ended + 1;
      lastMs = nowMs;
      withoutChain = hadChain ? 0 : withoutChain + 1;
      return withoutChain < pausesMs.length ? pausesMs[Math.min(ended, pausesMs.length) - 1] : undefined;
    },
  };
};

const waitBefore = (ready: () => Promise<Edr>): Edr => ({
  request: async (method, params) => (await ready()).request(method, params),
  requestText: async (method, params) => (await ready()).requestText(method, params),
  requestAll: async (calls) => (await ready()).requestAll(calls),
});

// Starts engines until one answers. `onEnded` returns whether the one that has ended had the chain.
const createStarts = (
  { start, onProblem, pausesMs = PAUSES_MS }: EngineRunsOptions,
  signal: AbortSignal,
  onEnded: () => boolean,
) => {
  const pauses = createPauses(pausesMs);
  const startAfter = async (cause: EngineEnded): Promise<ChainEngine> => {
    const pauseMs = pauses.next(onEnded());
    if (pauseMs === undefined) throw cause;
    onProblem(`the engine of the embedded chain has ended; another one starts in ${pauseMs} ms`, cause.cause);
    await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    return startAny();
  };
  const startAny = async (): Promise<ChainEngine> => {
    try {
      return await start();
    } catch (cause) {
      if (!(cause instanceof EngineEnded)) throw cause;
      return startAfter(cause);
    }
  };
  return { startAny, startAfter };
};

// The engine of now, and its replay; undefined before the first one.
const createRun = (options: EngineRunsOptions, signal: AbortSignal) => {
  const { onProblem } = options;
  const state = { isReady: false, blocksDone: 0, endedCount: 0 };
  const { startAny, startAfter } = createStarts(options, signal, () => {
    const hadChain = state.isReady;
    state.isReady = false;
    state.endedCount += 1;
    return hadChain;
  });
  const first = Promise.withResolvers<Replayed>();
  first.promise.catch(() => undefined);
  let current: Promise<unknown> = first.promise;
  let engine: ChainEngine | undefined;
  let failure: LedgerError | undefined;

  const replay = async (): Promise<Replayed> => {
    for (;;) {
      state.blocksDone = 0;
      try {
        return await options.replay(engine!, signal, ({ blocksDone }) => {
          state.blocksDone = blocksDone;
        });
      } catch (cause) {
        if (!(cause instanceof EngineEnded)) throw cause;
        engine = await startAfter(cause);
      }
    }
  };
  const run = async (prepare: () => Promise<void>): Promise<Replayed> => {
    try {
      await prepare();
      const replayed = await replay();
      state.isReady = true;
      engine!.onEnd(continueAfter);
      return replayed;
    } catch (cause) {
      failure = toFailure(cause);
      if (cause instanceof EngineEnded) options.onGivenUp?.(failure);
      throw failure;
    }
  };
  const continueAfter = (ended: EngineEnded): void => {
    if (signal.aborted) return;
    current = run(async () => {
      engine = await startAfter(ended);
    });
    current.then(
      () => onProblem('the embedded chain has its state again'),
      () => undefined,
    );
  };
  return {
    state,
    completed: first.promise,
    open: async (): Promise<void> => {
      engine = await startAny();
    },
    begin: (): void => void run(async () => undefined).then(first.resolve, first.reject),
    ready: async (): Promise<ChainEngine> => {
      await current;
      return engine!;
    },
    engine: () => engine,
    failure: () => failure,
    ended: () => current.catch(() => undefined),
  };
};

/** The engines of a chain, none of which is started yet. */
export const createEngineRuns = (options: EngineRunsOptions): EngineRuns => {
  const stopping = new AbortController();
  const run = createRun(options, stopping.signal);
  const { state, failure, ready } = run;
  const isOver = (): boolean => state.isReady || failure() !== undefined;
  const stop = (): void => stopping.abort(new LedgerError('STOPPING'));
  return {
    open: run.open,
    begin: run.begin,
    completed: run.completed,
    edr: waitBefore(ready),
    collectAnswers: async () => (await ready()).collectAnswers(),
    isOver,
    failure,
    assertNotFailed: () => {
      const cause = failure();
      if (cause !== undefined) throw cause;
    },
    assertOver: () => {
      if (isOver()) return;
      const progress = `${state.blocksDone} of ${options.blocksTotal()} blocks`;
      throw new RpcError(
        RPC_CODE.UNAVAILABLE,
        `the chain is being replayed, ${progress}; send the request again later`,
      );
    },
    readStatus: async (method, params) => {
      if (method !== 'eth_syncing') return run.engine()!.request(method, params);
      const [currentBlock, highestBlock] = [toQuantity(state.blocksDone), toQuantity(options.blocksTotal())];
      return { startingBlock: toQuantity(0), currentBlock, highestBlock };
    },
    readState: () => ({
      isReady: state.isReady,
      endedCount: state.endedCount,
      memoryBytes: run.engine()?.memoryBytes() ?? 0,
    }),
    stop,
    end: async () => {
      stop();
      await run.ended();
    },
    close: async () => run.engine()?.close(),
  };
};
