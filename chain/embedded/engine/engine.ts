// The engine of the embedded chain: a node that has the chain in memory, and may end by itself. What it had is executed
// again from the journal.
import { LedgerError } from '../../../ledger/errors.ts';
import type { GenesisConfig } from '../genesis.ts';
import type { Edr } from './toEdr.ts';

/** A node with the chain of its genesis. */
export interface ChainEngine extends Edr {
  /** Id of its process. */
  readonly pid: number;
  /** Frees the memory of answers that nobody uses any more. */
  collectAnswers(): Promise<void>;
  /** Bytes of memory that it uses besides this process. */
  memoryBytes(): number;
  /** Calls the listener once, when the engine has ended without `close`. Its requests then reject with EngineEnded. */
  onEnd(listener: (cause: EngineEnded) => void): void;
  /** Ends the engine. Requests in progress reject. */
  close(): Promise<void>;
}

/** Starts an engine at the genesis block. Rejects with EngineEnded when it ends before it answers. */
export type StartEngine = (config: GenesisConfig) => Promise<ChainEngine>;

/** Milliseconds after which a request that an engine didn't answer may be repeated. */
const RETRY_AFTER_MS = 1_000;

/**
 * The engine has ended by itself: the journal has every block, and another engine continues. A request that it was
 * answering isn't repeated, since it may be what ended it. `cause` has the reason.
 */
export class EngineEnded extends LedgerError {
  constructor(reason: string) {
    super('CHAIN_UNAVAILABLE', {
      message: 'The engine of the embedded chain has ended, and is started again',
      retryAfterMs: RETRY_AFTER_MS,
      cause: new Error(reason),
    });
  }
}
