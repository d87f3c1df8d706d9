// Mutual exclusion by name: tasks with the same name run one after the other; tasks with different names don't wait for
// each other.

/** Runs a task after the earlier tasks with its name. Resolves or rejects as the task does. */
export type RunExclusively = <T>(name: string, task: () => Promise<T>) => Promise<T>;

/**
 * Starts each task when the earlier tasks with its name have ended, whether they succeeded or not. Keeps a name only
 * while its tasks run.
 */
export const createRunExclusively = (): RunExclusively => {
  const last = new Map<string, Promise<unknown>>();
  return async (name, task) => {
    const earlier = last.get(name);
    const run = earlier === undefined ? task() : earlier.then(task, task);
    last.set(name, run);
    try {
      return await run;
    } finally {
      if (last.get(name) === run) last.delete(name);
    }
  };
};
