// When an accepted record is written to the outbox's files: before it is submitted; or, on a chain where a mined
// transaction is durable and final, only when it is not committed soon. There the chain's own log makes most records
// durable, with one sync for both.
import { raiseIfMistake } from '../defects.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxEntry } from './outboxEntries.ts';

/** Makes admitted entries durable. */
export interface RecordStoring {
  /** Resolves when the entry is durable or committed; rejects when it is refused because it can't be stored. */
  add(entry: OutboxEntry): Promise<void>;
  /** The entry is CONFIRMED or FAILED, and so durable. */
  complete(sequence: number): void;
  /** Why an entry that may be on the chain could not be stored so far; undefined when there is none. */
  findFailure(): unknown;
  /** The same of an entry with a record of this identity. */
  findFailureOf(tenantIdentity: string, identity: string): unknown;
  /** Stores what is left. Resolves when each entry is durable or refused. */
  stop(): Promise<void>;
}

/** Stores each entry at once. */
export const createImmediateStoring = (outbox: Outbox): RecordStoring => ({
  add: async (entry) => {
    try {
      await outbox.store([entry]);
    } catch (cause) {
      outbox.withdraw(entry);
      throw cause;
    }
  },
  complete: () => undefined,
  findFailure: () => undefined,
  findFailureOf: () => undefined,
  stop: async () => undefined,
});

interface Unstored {
  readonly entry: OutboxEntry;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

const toRecordName = (entry: { readonly tenantIdentity: string; readonly record: { readonly identity: string } }) =>
  `${entry.tenantIdentity} ${entry.record.identity}`;

// Entries that are neither stored nor completed, oldest first.
const createUnstoredEntries = (outbox: Outbox) => {
  const unstored = new Map<number, Unstored>();
  // The errors of those whose last write failed, by their records.
  const failures = new Map<string, unknown>();
  const remove = (sequence: number): void => {
    const removed = unstored.get(sequence);
    if (removed !== undefined) failures.delete(toRecordName(removed.entry));
    unstored.delete(sequence);
  };
  return {
    size: (): number => unstored.size,
    add: (entry: OutboxEntry): Promise<void> =>
      new Promise((resolve, reject) => {
        unstored.set(entry.sequence, { entry, resolve, reject });
      }),
    complete: (sequence: number): void => {
      unstored.get(sequence)?.resolve();
      remove(sequence);
    },
    refuse: (entry: OutboxEntry, cause: unknown): void => {
      outbox.withdraw(entry);
      unstored.get(entry.sequence)?.reject(cause);
      remove(entry.sequence);
    },
    /** Returns whether the entry is still unstored. */
    noteFailure: (entry: OutboxEntry, cause: unknown): boolean => {
      const isUnstored = unstored.has(entry.sequence);
      if (isUnstored) failures.set(toRecordName(entry), cause);
      return isUnstored;
    },
    findFailure: (): unknown => failures.values().next().value,
    findFailureOf: (tenantIdentity: string, identity: string): unknown =>
      failures.get(toRecordName({ tenantIdentity, record: { identity } })),
    readUpTo: (lastSequence: number): OutboxEntry[] => {
      const entries: OutboxEntry[] = [];
      for (const { entry } of unstored.values()) {
        if (entry.sequence > lastSequence) break;
        entries.push(entry);
      }
      return entries;
    },
  };
};

/** Entries of one write: they are encoded in one turn of the event loop. */
const STORED_TOGETHER = 256;

/**
 * Stores entries that are not committed `delayMs` to twice as many milliseconds after their acceptance. While the disk
 * refuses writes, an entry is refused if `withdraw` returns it: nothing has submitted it. Others may be on the chain,
 * so they wait until the outbox or the chain's log has them; `onUndecided` is called for each of them after each failed
 * attempt. `stop` refuses these too, with an error that leaves open whether the next start finds them.
 */
export const createDeferredStoring = (options: {
  outbox: Outbox;
  delayMs: number;
  /** Takes entries back that were not submitted, and returns them. */
  withdraw: (entries: ReadonlySet<OutboxEntry>) => readonly OutboxEntry[];
  /** Nobody knows yet whether the entry will be in the ledger. */
  onUndecided: (sequence: number, cause: unknown) => void;
}): RecordStoring => {
  const { outbox, delayMs, withdraw, onUndecided } = options;
  const unstored = createUnstoredEntries(outbox);
  // Sequences of the newest entry, and of the newest at the last tick.
  let newest = 0;
  let newestAtTick = 0;
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> = Promise.resolve();

  const store = async (
    entries: readonly OutboxEntry[],
    toRefused: (entries: readonly OutboxEntry[]) => readonly OutboxEntry[],
  ): Promise<void> => {
    if (entries.length === 0) return;
    try {
      await outbox.store(entries);
      for (const { sequence } of entries) unstored.complete(sequence);
    } catch (cause) {
      raiseIfMistake(cause);
      for (const entry of toRefused(entries)) unstored.refuse(entry, cause);
      for (const entry of entries) if (unstored.noteFailure(entry, cause)) onUndecided(entry.sequence, cause);
    }
  };

  const tick = async (): Promise<void> => {
    const old = unstored.readUpTo(newestAtTick);
    newestAtTick = newest;
    for (let from = 0; from < old.length; from += STORED_TOGETHER)
      await store(old.slice(from, from + STORED_TOGETHER), (entries) => withdraw(new Set(entries)));
    timer = undefined;
    schedule();
  };
  const schedule = (): void => {
    if (unstored.size() === 0) return;
    timer ??= setTimeout(() => {
      ticking = tick();
    }, delayMs);
  };

  return {
    add: (entry) => {
      newest = entry.sequence;
      const stored = unstored.add(entry);
      schedule();
      return stored;
    },
    complete: unstored.complete,
    findFailure: unstored.findFailure,
    findFailureOf: unstored.findFailureOf,
    stop: async () => {
      await ticking;
      clearTimeout(timer);
      await store(unstored.readUpTo(Number.POSITIVE_INFINITY), (entries) => entries);
    },
  };
};
