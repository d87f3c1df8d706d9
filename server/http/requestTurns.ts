// Takes in a few requests in each turn of the event loop. Node emits all requests that it has read at once; the results
// of the chain, which are ready meanwhile, would wait until the last of them was taken in, and the chain with them.

/** Runs a task now, or in one of the next turns of the event loop. Tasks run in their order. */
export type RunInTurns = (task: () => void) => void;

/** Requests of one turn: some 1.5 ms of work. */
export const REQUESTS_PER_TURN = 6;

/** Creates a function that runs at most `perTurn` tasks in a turn of the event loop. */
export const createRunInTurns = (perTurn: number): RunInTurns => {
  const waiting: (() => void)[] = [];
  let inTurn = 0;
  const turn = (): void => {
    const tasks = waiting.splice(0, perTurn);
    inTurn = tasks.length;
    if (inTurn > 0) setImmediate(turn);
    for (const task of tasks) task();
  };
  return (task) => {
    if (inTurn === perTurn) {
      waiting.push(task);
      return;
    }
    if (inTurn === 0) setImmediate(turn);
    inTurn += 1;
    task();
  };
};
