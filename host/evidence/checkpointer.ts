// Decides when the block log gets a checkpoint: periodically while there are new records, on request, and once a day,
// so that an idle log differs from a dead one. Before a checkpoint, the contract attests the trees of the tenants that
// this server writes for. Nothing waits for it: writes go on, and the log catches up with them.
import type { Attestation, Attester } from '../../chain/blockLog/attester.ts';
import type { BlockLog } from '../../chain/blockLog/blockLog.ts';
import { raiseIfMistake } from '../../chain/defects.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';

const IDLE_SECONDS_MAX = 86_400;

/** Issues the checkpoints of one log. */
export interface Checkpointer {
  /**
   * Resolves when a checkpoint covers an attestation of these names and of every record that the index had before, and,
   * if the log has witnesses that answer, a quorum of them cosigned it. While the newest checkpoint has no quorum,
   * nothing is attested: then it resolves when the witnesses were asked again. Rejects with the error of the attempt.
   * @param isAttested whether the contract has attested the names already; they aren't sent then.
   */
  request(names: readonly Attestation[], isAttested?: () => Promise<boolean>): Promise<void>;
  /** Ends what is in progress; later requests are refused with STOPPING. */
  stop(): Promise<void>;
}

/** Options of a checkpointer. */
export interface CheckpointerOptions {
  readonly log: Pick<BlockLog, 'head' | 'advance'>;
  readonly attester: Attester;
  /** Resolves when the newest checkpoint has the cosignatures that it gets now. */
  readonly cosign: () => Promise<void>;
  /** Whether the newest checkpoint is the one that is shown. */
  readonly isShown: () => boolean;
  /** Keys of the tenants that this server writes for. */
  readonly readTenants: () => readonly Hex[];
  readonly periodMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of a clock that is never set. */
  readonly elapsedMs: () => number;
  /** Resolves when the state of the chain can be read. */
  readonly whenReady: (signal: AbortSignal) => Promise<void>;
  readonly onProblem: (message: string, cause?: unknown) => void;
}

interface Request {
  readonly names: readonly Attestation[];
  readonly isAttested: () => Promise<boolean>;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

// Reports the first of several failures, and the end of them.
const createReport = (onProblem: CheckpointerOptions['onProblem']) => {
  let isFailing = false;
  return {
    succeeded: (): void => {
      if (isFailing) onProblem('the block log has a new checkpoint again');
      isFailing = false;
    },
    failed: (cause: unknown): void => {
      if (!isFailing) onProblem('the block log has no new checkpoint', cause);
      isFailing = true;
    },
  };
};

const toUnattested = async (requests: readonly Request[]): Promise<Attestation[]> => {
  const unattested: Attestation[] = [];
  for (const { names, isAttested } of requests) if (!(await isAttested())) unattested.push(...names);
  return unattested;
};

const isDue = ({ log, now }: CheckpointerOptions, attestedBlock: number | undefined): boolean => {
  const head = log.head();
  if (head === undefined || (attestedBlock ?? -1) > head.newestBlock) return true;
  return now() / 1_000 - head.signedAtSeconds >= IDLE_SECONDS_MAX;
};

/** Issues checkpoints from now on, the first one as soon as the chain can be read. */
export const startCheckpointer = (options: CheckpointerOptions): Checkpointer => {
  const { log, attester, cosign, isShown, readTenants, periodMs, whenReady, elapsedMs } = options;
  const report = createReport(options.onProblem);
  const stopping = new AbortController();
  const { signal } = stopping;
  let waiting: Request[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let periodEndsMs = Number.NEGATIVE_INFINITY;

  const isWithoutQuorum = async (): Promise<boolean> => {
    if (!isShown()) await cosign();
    return !isShown();
  };

  const issue = async (requests: readonly Request[]): Promise<void> => {
    await whenReady(signal);
    // What is attested without a quorum helps no request, and costs gas on a network: once a period is enough.
    const isUseless = requests.length > 0 && (await isWithoutQuorum());
    if (isUseless && elapsedMs() < periodEndsMs) return;
    periodEndsMs = elapsedMs() + periodMs;
    const names = isUseless ? [] : await toUnattested(requests);
    const attestedBlock = await attester.attest(readTenants(), names, signal);
    signal.throwIfAborted();
    if ((requests.length > 0 && !isUseless) || isDue(options, attestedBlock)) await log.advance();
    signal.throwIfAborted();
    await cosign();
  };

  const run = async (): Promise<void> => {
    const requests = waiting;
    waiting = [];
    try {
      await issue(requests);
      report.succeeded();
      for (const { resolve } of requests) resolve();
    } catch (cause) {
      raiseIfMistake(cause);
      if (!signal.aborted) report.failed(cause);
      for (const { reject } of requests) reject(cause);
    }
  };

  const begin = (): void => {
    clearTimeout(timer);
    running ??= run().finally(() => {
      running = undefined;
      if (signal.aborted) return;
      if (waiting.length > 0) begin();
      else timer = setTimeout(begin, periodMs).unref();
    });
  };

  begin();
  return {
    request: async (names, isAttested = async () => false) => {
      if (signal.aborted) throw new LedgerError('STOPPING');
      return new Promise((resolve, reject) => {
        waiting.push({ names, isAttested, resolve, reject });
        begin();
      });
    },
    stop: async () => {
      stopping.abort(new LedgerError('STOPPING'));
      clearTimeout(timer);
      await running;
      for (const { reject } of waiting) reject(signal.reason);
    },
  };
};
