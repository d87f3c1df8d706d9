// The timers of `AbortSignal.timeout`, which end with the requests that they limit.

const cancels = new WeakMap<AbortSignal, () => void>();

/** Remembers what cancels the timer of a signal. */
export const noteTimeout = (signal: AbortSignal, cancel: () => void): void => void cancels.set(signal, cancel);

/** Cancels the timer of a signal, if it has one: nothing waits for it any more. */
export const cancelTimeout = (signal: AbortSignal | undefined): void => {
  if (signal !== undefined) cancels.get(signal)?.();
};
