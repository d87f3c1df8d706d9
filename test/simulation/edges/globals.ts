// Node's global clocks, timers, randomness and memory figures in a simulation, for code that doesn't import them.
import { currentProcess } from '../world/processes.ts';
import { theWorld } from '../world/world.ts';
import { simulatedFetch } from './fetch.ts';
import { noteTimeout } from './timeouts.ts';

type Callback = (...values: unknown[]) => void;

// What the project's code uses of a timer.
const createTimer = (cancel: () => void) => {
  const timer = {
    cancel,
    ref: () => timer,
    unref: () => timer,
    hasRef: () => true,
    [Symbol.dispose]: cancel,
  };
  return timer;
};

type Timer = ReturnType<typeof createTimer>;

const runInProcess = (callback: Callback, values: unknown[]): (() => void) => {
  const process = currentProcess();
  return () => {
    if (process === undefined) callback(...values);
    else if (process.isAlive()) process.run(() => callback(...values));
  };
};

const setTimeout = (callback: Callback, ms = 1, ...values: unknown[]): Timer =>
  createTimer(theWorld().schedule(ms, runInProcess(callback, values)));

const setInterval = (callback: Callback, ms = 1, ...values: unknown[]): Timer => {
  const run = runInProcess(callback, values);
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = theWorld().schedule(ms, () => {
      next();
      run();
    });
  };
  next();
  return createTimer(() => cancel());
};

const clear = (timer: Timer | undefined): void => timer?.cancel();

// One for all: most timeouts pass without notice, and a stack trace for each would cost more than the request.
const TIMEOUT = new DOMException('The operation timed out', 'TimeoutError');

const createTimeout = (ms: number): AbortSignal => {
  const controller = new AbortController();
  const { cancel } = setTimeout(() => controller.abort(TIMEOUT), ms);
  noteTimeout(controller.signal, cancel);
  return controller.signal;
};

/** The wall clock of machines, in milliseconds since 1970, without what a machine's clock is off by. */
export const EPOCH_MS = Date.UTC(2026, 0, 5);

/** Milliseconds by which each machine's clock is off. */
export const clockOffsets = new Map<string, number>();

const AVAILABLE_BYTES = 8 * 2 ** 30;
const USED_BYTES = 2 ** 28;

const readClock = (): number =>
  Math.floor(EPOCH_MS + theWorld().nowMs() + (clockOffsets.get(currentProcess()?.machine ?? '') ?? 0));

/** The id of each simulated process, as in a container. Names of temporary files contain it. */
const PROCESS_ID = 1;

/** Replaces the globals of this process of the operating system. Code that needs the real ones keeps them before. */
export const replaceGlobals = (): void => {
  Object.defineProperty(process, 'pid', { value: PROCESS_ID });
  Object.assign(globalThis, {
    setTimeout,
    setInterval,
    setImmediate: (callback: Callback, ...values: unknown[]) => setTimeout(callback, 0, ...values),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    fetch: simulatedFetch,
  });
  // Limits of executions and warnings follow from the memory of the machine.
  process.availableMemory = () => AVAILABLE_BYTES;
  Object.assign(process.memoryUsage, { rss: () => USED_BYTES });
  AbortSignal.timeout = createTimeout;
  Date.now = readClock;
  performance.now = () => theWorld().nowMs();
  Math.random = () => theWorld().stream('Math.random').next();
};
