// What is known of damage to the index, and who may read meanwhile: after the first damage nobody but the follower, until it has built the index
// again from the chain.
import { LedgerError } from '../ledger/errors.ts';

export interface Damage {
  /** The damage that was found; undefined when none was, or the index was removed since. */
  found(): LedgerError | undefined;
  /** Notes damage and calls the listeners. The first counts. Returns it. */
  report(problem: string, cause?: unknown): LedgerError;
  /** Calls the listener when damage is found. */
  onFound(listener: (damage: LedgerError) => void): void;
  /** The damaged index was removed. */
  removed(): void;
  /** The index has everything that the chain has. */
  markComplete(): void;
  /** False from damage on until `markComplete`. */
  isComplete(): boolean;
  /** @throws LedgerError INDEX_REBUILDING from damage on until `markComplete`. */
  assertComplete(): void;
}

const RETRY_AFTER_MS = 2_000;

/** No damage so far. */
export const createDamage = (): Damage => {
  const listeners: ((damage: LedgerError) => void)[] = [];
  let damage: LedgerError | undefined;
  let isComplete = true;
  return {
    found: () => damage,
    report: (problem, cause) => {
      if (damage !== undefined) return damage;
      isComplete = false;
      damage = new LedgerError('INDEX_DAMAGED', { message: `The index is damaged: ${problem}`, cause });
      for (const listener of listeners) listener(damage);
      return damage;
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

/** Refusal of an index that lacks a row which another row of it names. */
export const createMissingRowError = (key: Uint8Array): LedgerError =>
  new LedgerError('INDEX_DAMAGED', { message: `it lacks the row ${Buffer.from(key).toString('hex')}` });
