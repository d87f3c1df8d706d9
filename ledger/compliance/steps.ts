// Work that its caller can interrupt: a generator that yields after a bounded number of items. It reads no clock and
// waits for nothing, so its result doesn't depend on where it was interrupted.

/** Work in steps, which returns its result at the end. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Most items of one step, at about 100 ns an item. */
export const STEP_ITEMS = 4_096;

/** Runs all steps at once and returns the result. */
export const finish = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

/** Calls `run` with consecutive ranges that together cover 0 to `length`, and yields between them. */
export function* inSteps(length: number, run: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < length; from += STEP_ITEMS) {
    if (from > 0) yield;
    run(from, Math.min(from + STEP_ITEMS, length));
  }
}

/** The results of `toResult` for all items, with a step for each. */
export function* mapInSteps<T, R>(items: readonly T[], toResult: (item: T, index: number) => R): Steps<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    results.push(toResult(item, index));
    yield;
  }
  return results;
}

/**
 * Memoizes a function by its arguments, which are JSON values. Keeps the results of the `max` newest lists of
 * arguments.
 */
export const memoizeSteps = <A extends readonly unknown[], T>(
  compute: (...args: A) => Steps<T>,
  max = Number.POSITIVE_INFINITY,
): ((...args: A) => Steps<T>) => {
  const results = new Map<string, T>();
  return function* (...args) {
    const key = JSON.stringify(args);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = yield* compute(...args);
    if (results.size >= max) results.delete(results.keys().next().value!);
    results.set(key, result);
    return result;
  };
};
