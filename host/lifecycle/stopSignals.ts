// How a process is asked to stop. The first signal asks; a later one ends it at once. Ctrl-C under npm brings the same signal twice, from the
// terminal and from npm, so what comes again within a second is the same wish.

const ECHO_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export interface StopRequests {
  /** Called with the first signal. */
  readonly stop: (signal: NodeJS.Signals) => void;
  /** Called with another signal that is no echo of the first. */
  readonly end: (signal: NodeJS.Signals) => void;
  /** Milliseconds of a clock that only goes forward. */
  readonly nowMs: () => number;
}

/** Tells the first signal, its echoes, and the signals after it apart. */
export const createStopRequests = ({ stop, end, nowMs }: StopRequests): ((signal: NodeJS.Signals) => void) => {
  let first: { signal: NodeJS.Signals; atMs: number } | undefined;
  return (signal) => {
    if (first === undefined) {
      first = { signal, atMs: nowMs() };
      stop(signal);
    } else if (signal !== first.signal || nowMs() - first.atMs > ECHO_MS) end(signal);
  };
};

/** Has SIGINT and SIGTERM ask this process to stop. Returns what gives the signals their own meaning back. */
export const onStopSignal = (stop: (signal: NodeJS.Signals) => void): (() => void) => {
  const forget = (): void => {
    for (const signal of SIGNALS) process.off(signal, handle);
  };
  const end = (signal: NodeJS.Signals): void => {
    forget();
    process.kill(process.pid, signal);
  };
  const handle = createStopRequests({ stop, end, nowMs: () => performance.now() });
  for (const signal of SIGNALS) process.on(signal, handle);
  return forget;
};
