// One at a time by name: tasks of the same name run one after the other, tasks of different names don't wait for each other.

export type RunExclusively = <T>(name: string, task: () => Promise<T>) => Promise<T>;

/** Runs each task when the earlier ones of its name have ended, whether they succeeded or not. Remembers a name only while it runs. */
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
