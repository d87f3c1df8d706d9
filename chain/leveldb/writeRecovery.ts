// Makes a database writable again after a failed write, without a restart. A failed write may leave half a record in
// LevelDB's log, and LevelDB loses what follows it at the next opening. So nothing more is written until the database
// was closed, opened and checked.
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError, type LedgerErrorCode } from '../../ledger/errors.ts';
import { raiseIfMistake } from '../defects.ts';

/** The state of a database's writes, and their recovery. */
export interface WriteRecovery {
  /** The reason why nothing can be written now; undefined when writes work. */
  failure(): LedgerError | undefined;
  /**
   * Starts the recovery after a failed write, unless it is running. Returns the refusal: STORAGE_FULL or
   * CHAIN_UNAVAILABLE. A write that failed by a mistake of this program, which is raised, isn't recovered from.
   */
  begin(cause: unknown): LedgerError;
  /** Ends the attempts. Resolves when none is running. */
  stop(): Promise<void>;
}

/** Options of a write recovery. */
export interface WriteRecoveryOptions {
  /** Name of the database for messages, with its article. */
  readonly what: string;
  /**
   * One attempt. Damage (`..._CORRUPT`) ends the attempts, and so does a mistake of this program, which is raised.
   * After any other rejection it is called again.
   */
  readonly recover: () => Promise<void>;
  /** Called when writes fail and when they work again. */
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** Milliseconds before the first attempt and between two of them. */
  readonly periodMs?: number | undefined;
}

const RECOVERY_PERIOD_MS = 1_000;
const DAMAGE: readonly LedgerErrorCode[] = ['CHAIN_CORRUPT', 'OUTBOX_CORRUPT'];

// LevelDB reports errors of the C library as text only.
const DISK_FULL = /no space left|disk quota exceeded/i;

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (DISK_FULL.test(error.message) || isDiskFull(error.cause));

/** Whether a database, or the chain, is damaged: no further attempt helps. */
export const isLastingDamage = (error: unknown): error is LedgerError =>
  error instanceof LedgerError && DAMAGE.includes(error.code);

/** The recovery of one database. */
export const createWriteRecovery = (options: WriteRecoveryOptions): WriteRecovery => {
  const { what, recover, onProblem, periodMs = RECOVERY_PERIOD_MS } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let failure: LedgerError | undefined;
  let running: Promise<void> = Promise.resolve();

  // Whether another attempt may help.
  const attempt = async (): Promise<boolean> => {
    try {
      await recover();
      failure = undefined;
      onProblem(`${what} can be written again`);
      return false;
    } catch (error) {
      if (!isLastingDamage(error)) return !raiseIfMistake(error);
      failure = error;
      onProblem(`${what} is damaged; stop the server`, error);
      return false;
    }
  };
  const run = async (): Promise<void> => {
    for (let isRefused = true; isRefused; isRefused = await attempt()) {
      await sleep(periodMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  };

  return {
    failure: () => failure,
    begin: (cause) => {
      if (failure !== undefined) return failure;
      const message = `${what} cannot be written; retrying every ${periodMs} ms`;
      const code = isDiskFull(cause) ? 'STORAGE_FULL' : 'CHAIN_UNAVAILABLE';
      failure = new LedgerError(code, { message, cause, retryAfterMs: periodMs });
      onProblem(message, cause);
      // A write may be refused with its failure as the cause.
      const failures = [cause, cause instanceof LedgerError ? cause.cause : undefined];
      if (!failures.some(raiseIfMistake)) running = run();
      return failure;
    },
    stop: () => {
      stopping.abort();
      return running;
    },
  };
};
