// Long work in short pieces, between which the tab draws and answers its user.

/** A piece of work that lasts longer is noticed as a delay (a "long task" has 50 ms). */
const PIECE_MS = 20;

// A message, because timers of a tab in the background wait for a second each.
const waitForTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });

/**
 * Returns a function that long work awaits often: it lets others have a turn when the piece of work since the last one
 * has lasted 20 ms. It rejects with the reason of `signal` once that is aborted. `now` is a clock in milliseconds.
 */
export const createTabTurns = (signal: AbortSignal, now = () => performance.now()): (() => Promise<void>) => {
  let beganAt = now();
  return async () => {
    signal.throwIfAborted();
    if (now() - beganAt < PIECE_MS) return;
    await waitForTurn();
    signal.throwIfAborted();
    beganAt = now();
  };
};
