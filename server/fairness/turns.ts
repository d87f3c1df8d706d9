// Parties take turns with work that others wait for: tenants, and client networks where there is no token. The cost of
// work counts, not the number of requests, so nobody's requests delay another's by more than what is in progress.
import { LedgerError } from '../../ledger/errors.ts';
import { createFairQueue } from './fairQueue.ts';

/** One task of a party. */
export interface TurnOptions {
  /** What the task costs, in the unit of the turns' bounds. 1 unless given. */
  readonly cost?: number;
  /** Aborts when nobody waits for the task any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a task when it is its party's turn. Resolves or rejects as the task does. Rejects before the turn with the
 * signal's reason when that aborts, with STOPPING when the server stops, and with the error of `refuse` when the party
 * has too many tasks that wait.
 */
export type RunInTurn = <T>(party: string, task: () => Promise<T>, options?: TurnOptions) => Promise<T>;

/** Options of `createTurns`. */
export interface TurnsOptions {
  /** What the tasks in progress may cost together; a task that costs more runs alone. 1 unless given. */
  readonly max?: number;
  /** What those of one party may cost together; `max` unless given. */
  readonly ofPartyMax?: number;
  /** Tasks of one party that may wait; any number unless given. */
  readonly waitingMax?: number;
  /** The error of a task beyond these. */
  readonly refuse?: () => Error;
  /** Aborts when the server stops: tasks in progress go on, and no other begins. */
  readonly stopping?: AbortSignal | undefined;
  /** Monotonic milliseconds. When given, a party is charged for the time of its tasks instead of their cost. */
  readonly nowMs?: () => number;
  /** Waits after a task, before another one takes its place. Gets the time of the task in milliseconds. */
  readonly rest?: (taskMs: number) => Promise<unknown>;
}

interface Waiting {
  readonly begin: () => void;
  readonly end: (reason: unknown) => void;
}

const fits = (used: number, cost: number, max: number): boolean => used === 0 || used + cost <= max;

/** What is in progress, of each party and of all. */
const createUse = (max: number, ofPartyMax: number) => {
  const ofParties = new Map<string, number>();
  let ofAll = 0;
  return {
    hasParty: (party: string, cost: number): boolean => fits(ofParties.get(party) ?? 0, cost, ofPartyMax),
    has: (cost: number): boolean => fits(ofAll, cost, max),
    isNone: (): boolean => ofAll === 0,
    add: (party: string, cost: number): void => {
      const ofParty = (ofParties.get(party) ?? 0) + cost;
      if (ofParty === 0) ofParties.delete(party);
      else ofParties.set(party, ofParty);
      ofAll += cost;
    },
  };
};

/** Tasks that wait, in their order. `onChange` is called when one was added or removed. */
const createWaiting = (onChange: () => void) => {
  const queue = createFairQueue<Waiting>();
  const all = new Set<Waiting>();
  const add = (party: string, { cost = 1, signal }: TurnOptions, begin: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => task.end(signal!.reason);
      const forget = (): void => {
        all.delete(task);
        signal?.removeEventListener('abort', leave);
      };
      const task: Waiting = {
        begin: () => {
          forget();
          begin();
          resolve();
        },
        end: (reason) => {
          forget();
          queue.remove(party, task);
          reject(reason);
          onChange();
        },
      };
      all.add(task);
      signal?.addEventListener('abort', leave, { once: true });
      queue.add(party, cost, task);
      onChange();
    });
  const endAll = (reason: unknown): void => {
    for (const task of [...all]) task.end(reason);
  };
  return { queue, add, endAll };
};

/** Begins with nothing in progress. */
export const createTurns = (options: TurnsOptions = {}): RunInTurn => {
  const { max = 1, ofPartyMax = max, waitingMax = Number.POSITIVE_INFINITY, stopping, nowMs, rest } = options;
  const readClock = nowMs ?? (() => performance.now());
  const use = createUse(max, ofPartyMax);

  // A task that doesn't fit beside those in progress isn't passed by smaller ones, which might never end.
  const findNext = () => {
    const next = stopping?.aborted ? undefined : waiting.queue.peek(use.hasParty);
    return next !== undefined && use.has(next.cost) ? next : undefined;
  };
  const beginNext = (): void => {
    for (let next = findNext(); next !== undefined; next = findNext()) {
      waiting.queue.begin(next.party);
      next.item.begin();
    }
    if (use.isNone() && waiting.queue.size() === 0) waiting.queue.forget();
  };
  const waiting = createWaiting(beginNext);
  stopping?.addEventListener('abort', () => waiting.endAll(new LedgerError('STOPPING')));

  const end = (party: string, cost: number): void => {
    use.add(party, -cost);
    beginNext();
  };

  return async (party, run, task = {}) => {
    if (stopping?.aborted) throw new LedgerError('STOPPING');
    task.signal?.throwIfAborted();
    if (waiting.queue.countOf(party) >= waitingMax) throw options.refuse!();
    const { cost = 1 } = task;
    await waiting.add(party, task, () => use.add(party, cost));
    const beganMs = readClock();
    try {
      return await run();
    } finally {
      const taskMs = readClock() - beganMs;
      if (nowMs !== undefined) waiting.queue.charge(party, taskMs - cost);
      if (rest === undefined) end(party, cost);
      else void rest(taskMs).finally(() => end(party, cost));
    }
  };
};
