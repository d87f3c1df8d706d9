/** A task that runs until the test ends it. */
export const createTask = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve };
};
