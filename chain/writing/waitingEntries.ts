// Since when records wait for the chain: from their first submission until their transaction is final, however often
// they are submitted again. Records that wait for their turn don't count: a busy server has those.
import { type ReadWaits, type RecordWait, toOldest } from '../recordWaits.ts';
import type { OutboxEntry } from './outboxEntries.ts';

type Stage = 'submitted' | 'failed' | 'mined';

/** Follows the entries that wait for the chain. */
export interface WaitingEntries {
  /** The entries are submitted. Their wait began when that was so for the first time. */
  begin(entries: readonly OutboxEntry[]): void;
  /** A submission of the entries has failed; they are submitted again. */
  noteFailure(entries: readonly OutboxEntry[]): void;
  /** A transaction of the entries is mined. */
  mine(entries: readonly OutboxEntry[]): void;
  /** The entries wait for the chain no more. */
  end(entries: readonly OutboxEntry[]): void;
  readonly readOldest: ReadWaits;
}

/**
 * No waits yet. `now` is in milliseconds since the epoch; entries of `recovered` wait since their records were
 * accepted.
 */
export const createWaitingEntries = (now: () => number, recovered: readonly OutboxEntry[]): WaitingEntries => {
  const begun = new WeakMap<OutboxEntry, RecordWait>();
  const stages = new Map<OutboxEntry, Stage>();
  for (const entry of recovered) {
    begun.set(entry, { sinceMs: Date.parse(entry.record.timestamp_accepted), isRecovered: true });
  }
  const setStages = (entries: readonly OutboxEntry[], stage: Stage): void => {
    for (const entry of entries) stages.set(entry, stage);
  };
  return {
    begin: (entries) => {
      const wait: RecordWait = { sinceMs: now(), isRecovered: false };
      for (const entry of entries) {
        if (!begun.has(entry)) begun.set(entry, wait);
        if (stages.get(entry) !== 'failed') stages.set(entry, 'submitted');
      }
    },
    noteFailure: (entries) => setStages(entries, 'failed'),
    mine: (entries) => setStages(entries, 'mined'),
    end: (entries) => {
      for (const entry of entries) stages.delete(entry);
    },
    readOldest: () => {
      let unmined: RecordWait | undefined;
      let unfinal: RecordWait | undefined;
      let hasFailed = false;
      for (const [entry, stage] of stages) {
        const wait = begun.get(entry)!;
        if (stage === 'mined') unfinal = toOldest(unfinal, wait);
        else unmined = toOldest(unmined, wait);
        hasFailed ||= stage === 'failed';
      }
      return { unmined: unmined && { ...unmined, hasFailed }, unfinal };
    },
  };
};
