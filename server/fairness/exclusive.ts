// Mutual exclusion by name: tasks with the same name run one after the other; tasks with different names don't wait for
// each other.

/**
 * Runs a task after the earlier tasks with its name, or with one of its names. Resolves or rejects as the task does.
 */
export type RunExclusively = <T>(name: string | readonly string[], task: () => Promise<T>) => Promise<T>;

/**
 * Starts each task when the earlier tasks with its name have ended, whether they succeeded or not. Keeps a name only
 * while its tasks run.
 */
export const createRunExclusively = (): RunExclusively => {
  const last = new Map<string, Promise<unknown>>();
  const waitForEarlier = (names: readonly string[]): Promise<unknown> | undefined => {
    const earlier = names.flatMap((name) => last.get(name) ?? []);
    return earlier.length < 2 ? earlier[0] : Promise.allSettled(earlier);
  };
  return async (name, task) => {
    const names = typeof name === 'string' ? [name] : name;
    const earlier = waitForEarlier(names);
    const run = earlier === undefined ? task() : earlier.then(task, task);
    for (const each of names) last.set(each, run);
    try {
      return await run;
    } finally {
      for (const each of names) if (last.get(each) === run) last.delete(each);
    }
  };
};
