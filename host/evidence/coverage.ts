// What a checkpoint covers: finds attestations below the newest checkpoint, and requests a checkpoint with new ones
// where they are missing.
import { setTimeout as wait } from 'node:timers/promises';
import type { Attestation } from '../../chain/blockLog/attester.ts';
import type { SignedHead } from '../../chain/blockLog/blockLog.ts';
import { raiseIfMistake } from '../../chain/defects.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { Checkpoints } from './openCheckpoints.ts';

/** The blocks that may be covered. */
export interface Reach {
  /** The newest checkpoint; undefined before the first one, and where there is no block log. */
  readonly head: SignedHead | undefined;
  /** Number of the newest block whose attestations count. */
  readonly untilBlock: number;
  /** Whether the contract has attested what was requested. */
  readonly isRequested: boolean;
}

/** Finds something within a reach; undefined when it isn't there. */
export type FindCovered<T> = (reach: Reach) => Promise<T | undefined>;

/** Who asks for a new checkpoint: a tenant, or without a token anybody who reads its public assets. */
export interface Asker {
  readonly tenantIdentity: string;
  readonly isPublic: boolean;
  /** The network of a client without a token. */
  readonly network?: string | undefined;
}

/** Finds what checkpoints cover. */
export interface Coverage {
  /**
   * Finds something, if necessary after a checkpoint that covers these attestations.
   * @throws LedgerError EVIDENCE_PENDING when there is none in time, RATE_LIMITED when the tenant requests too many,
   * and as the checkpoint's attempt; the signal's reason when that ends the wait.
   */
  cover<T>(asker: Asker, names: readonly Attestation[], find: FindCovered<T>, signal?: AbortSignal): Promise<T>;
}

/** Options of a coverage. */
export interface CoverageOptions {
  /** Undefined: this server has no block log. */
  readonly checkpoints: Pick<Checkpoints, 'log' | 'request'> | undefined;
  /** Resolves when the index has a block. */
  readonly catchUpTo: (blockNumber: number) => Promise<void>;
  /** How long a request waits for a checkpoint, in milliseconds. */
  readonly waitMs: number;
  /** Counts one request. Rejects with RATE_LIMITED when there were too many. */
  readonly limit: (asker: Asker) => Promise<void>;
}

/** When the same request may succeed: a checkpoint on a network takes some blocks. */
const RETRY_AFTER_MS = 5_000;

/** The refusal of evidence that may exist later. */
export const refusePending = (): LedgerError => new LedgerError('EVIDENCE_PENDING', { retryAfterMs: RETRY_AFTER_MS });

// The request goes on after the time, so that its repetition finds a checkpoint.
const resolveWithin = async (request: Promise<void>, waitMs: number, signal?: AbortSignal): Promise<void> => {
  const over = new AbortController();
  const end = (): void => over.abort();
  const timeout = wait(waitMs, undefined, { signal: over.signal }).then(() => {
    throw refusePending();
  });
  request.catch(() => undefined);
  timeout.catch(() => undefined);
  signal?.addEventListener('abort', end, { once: true });
  try {
    await Promise.race([request, timeout]);
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause;
  } finally {
    signal?.removeEventListener('abort', end);
    over.abort();
  }
};

/** The coverage of a ledger's checkpoints. */
export const createCoverage = (options: CoverageOptions): Coverage => {
  const { checkpoints, catchUpTo, waitMs, limit } = options;
  // An attestation that no checkpoint covers needs a checkpoint, not another attestation. A request that ended needs
  // none.
  const isAttested = async <T>(find: FindCovered<T>): Promise<boolean> => {
    try {
      const found = await find({ head: undefined, untilBlock: Number.MAX_SAFE_INTEGER, isRequested: false });
      return found !== undefined;
    } catch (cause) {
      raiseIfMistake(cause);
      return true;
    }
  };

  const findWithin = <T>(find: FindCovered<T>, isRequested: boolean): Promise<T | undefined> => {
    const head = checkpoints?.log.head();
    const untilBlock = checkpoints === undefined ? Number.MAX_SAFE_INTEGER : (head?.newestBlock ?? 0);
    return find({ head, untilBlock, isRequested });
  };

  return {
    cover: async (asker, names, find, signal) => {
      const known = await findWithin(find, false);
      if (known !== undefined) return known;
      if (checkpoints === undefined) throw refusePending();
      await limit(asker);
      const requested = checkpoints.request(names, () => isAttested(find));
      await resolveWithin(requested, waitMs, signal);
      await catchUpTo(checkpoints.log.head()?.newestBlock ?? 0);
      const covered = await findWithin(find, true);
      if (covered === undefined) throw refusePending();
      return covered;
    },
  };
};
