// Work that its caller may interrupt: a generator that yields after a bounded number of items. It knows no clock and waits for nothing, so
// what it comes to doesn't depend on where it was interrupted.

/** Work in steps, with its result at the end. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Items of a step at most, where one takes some 100 ns. */
export const STEP_ITEMS = 4_096;

/** Runs work to its end at once. */
export const finish = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

/** Runs `run` on ranges that together are `0` to `length`, one after the other. */
export function* inSteps(length: number, run: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < length; from += STEP_ITEMS) {
    if (from > 0) yield;
    run(from, Math.min(from + STEP_ITEMS, length));
  }
}

/** The same function, which gives its earlier result for the same arguments. Keeps the results of the newest `max` arguments. */
export const rememberSteps = <A extends readonly unknown[], T>(
  make: (...args: A) => Steps<T>,
  max = Number.POSITIVE_INFINITY,
): ((...args: A) => Steps<T>) => {
  const made = new Map<string, T>();
  return function* (...args) {
    const key = JSON.stringify(args);
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = yield* make(...args);
    if (made.size >= max) made.delete(made.keys().next().value!);
    made.set(key, value);
    return value;
  };
};
