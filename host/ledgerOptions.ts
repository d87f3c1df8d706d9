// What a ledger is opened with.
import type { StartEngine } from '../chain/embedded/engine/engine.ts';
import type { PublicGasLimits } from '../chain/embedded/rpc/publicGas.ts';
import type { Amount } from '../chain/writing/outboxShares.ts';
import type { SubmittedRecord } from '../chain/writing/submission.ts';
import type { FollowerOptions } from '../indexer/follower.ts';
import type { ReadPool } from '../indexer/reads/encodedReads.ts';
import type { OtherHandles } from '../indexer/store.ts';
import type { LedgerError } from '../ledger/errors.ts';
import type { NetworkOptions } from './networkLedger.ts';
import type { MemoryReserve } from './watching/memoryReserve.ts';

/** Reports the progress of a long step: `done` of `total`, counted in `unit`. */
export type OnStep = (step: { title: string; unit: string; done: number; total: number }) => void;

/**
 * Gas that third parties may use on the embedded chain: for the execution of one call or transaction, and for all
 * transactions.
 */
export interface PublicExecution extends PublicGasLimits {
  readonly callGasMax: number;
  /** Milliseconds of a clock that is never set, for the gas of a minute; those of the process unless given. */
  readonly elapsedMs?: (() => number) | undefined;
}

/** Bounds of the write path. */
export interface LedgerLimits {
  /** Records that wait for the chain at most; a tenant may have nine tenths of it, with what was refused. */
  readonly outboxEntriesMax: number;
  /** Payload bytes that they may have, in the same shares. */
  readonly outboxBytesMax: number;
  /** Refused records of all tenants, and their payload bytes, from which on tenants that have some can't write. */
  readonly outboxFailedMax: Amount;
  readonly batchRecordsMax: number;
  /** The same on the embedded chain while several tenants write. */
  readonly sharedBatchRecordsMax: number;
  /** Payload bytes of one batch. A larger record has a batch of its own. */
  readonly batchBytesMax: number;
  /** Transactions that may be sent and not mined yet; 1 on the embedded chain. */
  readonly transactionsInFlight: number;
  /** Batches that may wait until their blocks are final, while the next one is submitted; 1 on the embedded chain. */
  readonly minedBatchesMax: number;
  /** How long a write waits for its commitment before it is answered with `PENDING`. */
  readonly commitWaitMs: number;
  /** Payload bytes of the records of one tenant and day (UTC); 0: no limit. */
  readonly tenantRecordBytesPerDay: number;
}

/** How the index reads the chain. */
export interface IndexingLimits {
  /** Blocks of one request for logs. */
  readonly pageBlocks: number;
  /** Records of one write while catching up. */
  readonly batchRecords?: number | undefined;
}

/** Threads that read pages of lists, each with a handle of the index. */
export type ReadThreads = ReadPool & OtherHandles;

/** Prepares the threads for the index of a directory; its store opens and closes them. */
export type StartReadPool = (directory: string, onProblem: (message: string, cause?: unknown) => void) => ReadThreads;

export interface LedgerOptions {
  readonly dataDir: string;
  /** Directory of the keys and secrets that all servers of the organisation use; undefined: that of all keys. */
  readonly sharedKeys?: string | undefined;
  /** Chain id of a new embedded chain. */
  readonly chainId: number;
  /** Nodes of the chain; undefined: the embedded chain. */
  readonly network?: NetworkOptions['network'] | undefined;
  /** Identities of the tenants that it serves on a network. Undefined: those whose author's key is in its directory. */
  readonly servedTenants?: readonly string[] | undefined;
  /** Identities of other tenants whose records its index has on a network, for what they share. Undefined: none. */
  readonly sharingTenants?: readonly string[] | undefined;
  readonly limits: LedgerLimits;
  /** Whether it opens when the relayer can't pay for a record: for commands that may send nothing. Default: false. */
  readonly mayLackFunds?: boolean;
  /** Undefined: the defaults of the settings. */
  readonly publicExecution?: PublicExecution | undefined;
  /** Starts the engine of the embedded chain. Undefined: it is in this process. */
  readonly startEngine?: StartEngine | undefined;
  /** Called when the engine of the embedded chain has ended too often: every request is refused from then on. */
  readonly onEngineGivenUp?: ((cause: LedgerError) => void) | undefined;
  /** Memory that records of the embedded chain must leave. Undefined: they take any. */
  readonly memoryReserve?: MemoryReserve | undefined;
  /** Bytes of the index that are cached in memory. Undefined: the default of the setting. */
  readonly indexCacheBytes?: number | undefined;
  /** Undefined: pages of 64 blocks, and the follower's batches. */
  readonly indexing?: IndexingLimits | undefined;
  /** Starts a thread that decodes logs while the index catches up. Undefined: logs are decoded on the main thread. */
  readonly startDecoder?: FollowerOptions['startDecoder'];
  /** Starts the threads that read pages of lists. Undefined: they are read on the main thread. */
  readonly startReadPool?: StartReadPool | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds since the machine was booted. Undefined: jumps of the clock aren't noticed. */
  readonly uptimeMs?: (() => number) | undefined;
  /** Ends the opening, which then rejects: no wait for the chain goes on. Not to be aborted once it is open. */
  readonly ending?: AbortSignal | undefined;
  readonly onStep: OnStep;
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** Called with the records of each transaction, before it is submitted to the chain. */
  readonly onBatch?: ((records: readonly SubmittedRecord[]) => void) | undefined;
  /** Called after each attempt to submit records, or to complete them, that failed. */
  readonly onFailedAttempt?: (() => void) | undefined;
}
