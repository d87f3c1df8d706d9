// How a process is stopped by signals. The first signal stops it in order; a later one ends it at once. Ctrl-C under
// npm delivers the same signal twice, from the terminal and from npm, so the same signal within a second is an echo of
// the first.
import { constants } from 'node:os';
import { removeTemporaryDirectories } from '../../chain/temporaryDirectory.ts';

const ECHO_MS = 1_000;
/** The signals that stop a process. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Plus the number of a signal: the exit code that shells show for a process that the signal ended. */
const EXIT_CODE_OF_SIGNALS = 128;

export interface StopRequests {
  /** Called with the first signal. */
  readonly stop: (signal: NodeJS.Signals) => void;
  /** Called with a later signal that is no echo of the first. */
  readonly end: (signal: NodeJS.Signals) => void;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
}

/** Returns a signal handler that distinguishes the first signal, its echoes, and later signals. */
export const createStopRequests = ({ stop, end, nowMs }: StopRequests): ((signal: NodeJS.Signals) => void) => {
  let first: { signal: NodeJS.Signals; atMs: number } | undefined;
  return (signal) => {
    if (first === undefined) {
      first = { signal, atMs: nowMs() };
      stop(signal);
    } else if (signal !== first.signal || nowMs() - first.atMs > ECHO_MS) end(signal);
  };
};

/**
 * Ends this process by a signal that it no longer listens to. The kernel drops that signal where the process is the
 * first one of its container, which then ends with the exit code that shells show for the signal.
 */
export const endBySignal = (signal: NodeJS.Signals): void => {
  removeTemporaryDirectories();
  process.kill(process.pid, signal);
  process.exit(EXIT_CODE_OF_SIGNALS + constants.signals[signal]);
};

/**
 * Handles SIGINT and SIGTERM from now on. `stop` is called with the first signal and with a function that ends the
 * process at once, by that signal. Before the process ends at once, `onEnd` is called, which must be synchronous. The
 * returned function ends the handling.
 */
export const onStopSignal = (
  stop: (signal: NodeJS.Signals, endAtOnce: () => void) => void,
  onEnd: () => void = () => undefined,
): (() => void) => {
  const release = (): void => {
    for (const one of STOP_SIGNALS) process.off(one, handle);
  };
  const end = (signal: NodeJS.Signals): void => {
    release();
    onEnd();
    endBySignal(signal);
  };
  const handle = createStopRequests({
    stop: (signal) => stop(signal, () => end(signal)),
    end,
    nowMs: () => performance.now(),
  });
  for (const signal of STOP_SIGNALS) process.on(signal, handle);
  return release;
};
