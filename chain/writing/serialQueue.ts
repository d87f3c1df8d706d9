/** A queue that runs tasks one after the other, whether those before them succeeded or not. */
export const createSerialQueue = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const turn = last.then(task);
    // Without its result, which would stay in memory until the next task.
    last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  };
};
