// Records damage to the index. From the first damage on, only the follower may read, until it has rebuilt the index
// from the chain.
import { LedgerError } from '../ledger/errors.ts';

/** The state of the index's damage. */
export interface Damage {
  /** The damage that was found; undefined if none was found since the index was last removed. */
  found(): LedgerError | undefined;
  /** Records damage and calls the listeners, unless damage is recorded already. Returns the recorded damage. */
  report(problem: string, cause?: unknown): LedgerError;
  /**
   * Records that the index must be rebuilt although nothing is damaged. `reason`: a sentence without its full stop.
   * Treated like damage from then on.
   */
  requireRebuild(reason: string): void;
  /** Registers a listener, which is called when damage is found, or a rebuild required. */
  onFound(listener: (damage: LedgerError) => void): void;
  /** Forgets the damage: the damaged index was removed. */
  removed(): void;
  /** Ends the rebuild: the index contains everything that the chain contains. Has no effect on a damaged index. */
  markComplete(): void;
  /** False from damage on until `markComplete`. */
  isComplete(): boolean;
  /** @throws LedgerError INDEX_REBUILDING from damage on until `markComplete`. */
  assertComplete(): void;
}

const RETRY_AFTER_MS = 2_000;

/** Creates the state of an index without damage. */
export const createDamage = (): Damage => {
  const listeners: ((damage: LedgerError) => void)[] = [];
  let damage: LedgerError | undefined;
  let isComplete = true;
  const record = (found: LedgerError): LedgerError => {
    if (damage !== undefined) return damage;
    isComplete = false;
    damage = found;
    for (const listener of listeners) listener(damage);
    return damage;
  };
  return {
    found: () => damage,
    report: (problem, cause) =>
      record(new LedgerError('INDEX_DAMAGED', { message: `The index is damaged: ${problem}`, cause })),
    requireRebuild: (reason) => {
      record(new LedgerError('INDEX_REBUILDING', { message: reason, retryAfterMs: RETRY_AFTER_MS }));
    },
    onFound: (listener) => {
      listeners.push(listener);
    },
    removed: () => {
      damage = undefined;
    },
    markComplete: () => {
      isComplete = damage === undefined;
    },
    isComplete: () => isComplete,
    assertComplete: () => {
      if (!isComplete) throw new LedgerError('INDEX_REBUILDING', { retryAfterMs: RETRY_AFTER_MS });
    },
  };
};

/** The error for an index without a row that another of its rows refers to. */
export const createMissingRowError = (key: Uint8Array): LedgerError =>
  new LedgerError('INDEX_DAMAGED', { message: `it lacks the row ${Buffer.from(key).toString('hex')}` });
