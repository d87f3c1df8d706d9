// Takes in a few requests in each turn of the event loop. Node emits all requests that it has read at once; the results
// of the chain, which are ready meanwhile, would wait until the last of them was taken in, and the chain with them.
// Parties take turns, so that a client with many connections delays no other.
import { createFairQueue } from './fairQueue.ts';

/** Who sends a request, and what it costs beside a usual one, which costs 1. Read only when the request must wait. */
export interface RequestShare {
  readonly party: string;
  readonly cost: number;
}

/** Runs a task now, or in one of the next turns of the event loop. Tasks of one party run in their order. */
export type RunInTurns = (readShare: () => RequestShare, task: () => void) => void;

/** Requests of one turn: some 1.5 ms of work. */
export const REQUESTS_PER_TURN = 6;

/** Creates a function that runs at most `perTurn` tasks in a turn of the event loop. */
export const createRunInTurns = (perTurn: number): RunInTurns => {
  const queue = createFairQueue<() => void>();
  let inTurn = 0;
  const takeNext = (): (() => void)[] => {
    const tasks: (() => void)[] = [];
    for (let next = queue.peek(); next !== undefined && tasks.length < perTurn; next = queue.peek()) {
      queue.begin(next.party);
      tasks.push(next.item);
    }
    return tasks;
  };
  const turn = (): void => {
    const tasks = takeNext();
    inTurn = tasks.length;
    if (inTurn > 0) setImmediate(turn);
    else queue.forget();
    for (const task of tasks) task();
  };
  return (readShare, task) => {
    if (inTurn === perTurn) {
      const { party, cost } = readShare();
      queue.add(party, cost, task);
      return;
    }
    if (inTurn === 0) setImmediate(turn);
    inTurn += 1;
    task();
  };
};
