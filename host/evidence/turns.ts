// Runs large tasks one at a time, those of several parties in turns, so that nobody's requests delay another's by more
// than one task for each party.
import { refusePending } from './coverage.ts';

/** Runs a task when it is this party's turn. Rejects with EVIDENCE_PENDING when the party has too many that wait. */
export type RunInTurn = <T>(party: string, task: () => Promise<T>) => Promise<T>;

/** @param waitingMax tasks of one party that may wait. */
export const createTurns = (waitingMax: number): RunInTurn => {
  const waiting = new Map<string, (() => void)[]>();
  let isBusy = false;

  // The party whose turn is over waits behind all others.
  const begin = (): void => {
    const [first] = waiting;
    isBusy = first !== undefined;
    if (first === undefined) return;
    const [party, [resume, ...later]] = first;
    waiting.delete(party);
    if (later.length > 0) waiting.set(party, later);
    resume!();
  };

  const awaitTurn = (party: string): Promise<void> => {
    const tasks = waiting.get(party) ?? [];
    if (tasks.length >= waitingMax) throw refusePending();
    waiting.set(party, tasks);
    return new Promise((resolve) => tasks.push(resolve));
  };

  return async (party, task) => {
    if (isBusy) await awaitTurn(party);
    isBusy = true;
    try {
      return await task();
    } finally {
      begin();
    }
  };
};
