// Brings a database back after a write that failed, without a restart. A failed write may leave half a record in LevelDB's log,
// and what follows it there is lost at the next opening. So nothing more is written until the database was closed, opened and checked.
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError, type LedgerErrorCode } from '../../ledger/errors.ts';

export interface WriteRecovery {
  /** Why nothing can be written now; undefined when it can. */
  failure(): LedgerError | undefined;
  /** Starts to recover after a failed write, unless that is under way. Returns the refusal: STORAGE_FULL or CHAIN_UNAVAILABLE. */
  begin(cause: unknown): LedgerError;
  /** Ends the attempts. Resolves when none is under way. */
  stop(): Promise<void>;
}

export interface WriteRecoveryOptions {
  /** What cannot be written, with its article. */
  readonly what: string;
  /** One attempt. Damage that it finds (`..._CORRUPT`) ends the attempts; after any other rejection it is called again. */
  readonly recover: () => Promise<void>;
  /** Receives one line when writing has failed and one when it works again. */
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** Milliseconds before the first attempt and between two of them. */
  readonly periodMs?: number | undefined;
}

const RECOVERY_PERIOD_MS = 1_000;
const DAMAGE: readonly LedgerErrorCode[] = ['CHAIN_CORRUPT', 'OUTBOX_CORRUPT'];

// LevelDB reports the error of the C library in words alone.
const DISK_FULL = /no space left|disk quota exceeded/i;

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (DISK_FULL.test(error.message) || isDiskFull(error.cause));

const isDamage = (error: unknown): error is LedgerError => error instanceof LedgerError && DAMAGE.includes(error.code);

/** Recovery of one database. */
export const createWriteRecovery = (options: WriteRecoveryOptions): WriteRecovery => {
  const { what, recover, onProblem, periodMs = RECOVERY_PERIOD_MS } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let failure: LedgerError | undefined;
  let running: Promise<void> = Promise.resolve();

  const attempt = async (): Promise<void> => {
    try {
      await recover();
      failure = undefined;
      onProblem(`${what} can be written again`);
    } catch (error) {
      if (!isDamage(error)) return;
      failure = error;
      onProblem(`${what} is damaged; stop the server`, error);
    }
  };
  const run = async (): Promise<void> => {
    while (failure !== undefined && !isDamage(failure)) {
      await sleep(periodMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await attempt();
    }
  };

  return {
    failure: () => failure,
    begin: (cause) => {
      if (failure !== undefined) return failure;
      const message = `${what} cannot be written; it is tried again every ${periodMs} ms`;
      const code = isDiskFull(cause) ? 'STORAGE_FULL' : 'CHAIN_UNAVAILABLE';
      failure = new LedgerError(code, { message, cause, retryAfterMs: periodMs });
      onProblem(message, cause);
      running = run();
      return failure;
    },
    stop: () => {
      stopping.abort();
      return running;
    },
  };
};
