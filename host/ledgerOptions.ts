// What a ledger is opened with.
import type { PublicGasLimits } from '../chain/embedded/rpc/publicGas.ts';
import type { NetworkOptions } from './networkLedger.ts';

/** Reports the progress of a long step: `done` of `total`, counted in `unit`. */
export type OnStep = (step: { title: string; unit: string; done: number; total: number }) => void;

/**
 * Gas that third parties may use on the embedded chain: for the execution of one call or transaction, and for all
 * transactions.
 */
export interface PublicExecution extends PublicGasLimits {
  readonly callGasMax: number;
}

/** Bounds of the write path. */
export interface LedgerLimits {
  /** Records that the outbox holds at most, pending and failed. */
  readonly outboxEntriesMax: number;
  readonly batchRecordsMax: number;
  /** Bytes of calldata of one batch. */
  readonly batchBytesMax: number;
  /** How long a write waits for its commitment before it is answered with `PENDING`. */
  readonly commitWaitMs: number;
}

export interface LedgerOptions {
  readonly dataDir: string;
  /** Chain id of a new embedded chain. */
  readonly chainId: number;
  /** Nodes of the chain; undefined: the embedded chain. */
  readonly network?: NetworkOptions['network'] | undefined;
  readonly limits: LedgerLimits;
  /** Undefined: the defaults of the settings. */
  readonly publicExecution?: PublicExecution | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onStep: OnStep;
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** Called for each batch that is submitted to the chain, with the number of its records. */
  readonly onBatch?: ((records: number) => void) | undefined;
}
