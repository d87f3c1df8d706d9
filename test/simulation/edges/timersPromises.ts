// `node:timers/promises` on virtual time.
import { currentProcess } from '../world/processes.ts';
import { theWorld } from '../world/world.ts';

interface WaitOptions {
  readonly signal?: AbortSignal;
}

const wait = <T>(ms: number, value: T, { signal }: WaitOptions): Promise<T> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const process = currentProcess();
    const onAbort = (): void => {
      cancel();
      reject(signal!.reason);
    };
    const cancel = theWorld().schedule(ms, () => {
      if (process !== undefined && !process.isAlive()) return;
      signal?.removeEventListener('abort', onAbort);
      resolve(value);
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** Resolves with the value after so many virtual milliseconds. Rejects when the signal is aborted. */
export const setTimeout = <T>(ms = 1, value?: T, options: WaitOptions = {}): Promise<T | undefined> =>
  wait(ms, value, options);

/** Resolves with the value in another turn of the virtual event loop. */
export const setImmediate = <T>(value?: T, options: WaitOptions = {}): Promise<T | undefined> =>
  wait(0, value, options);
