// A pause that somebody else may end early.

/** Pauses of one loop. */
export interface WakeableSleep {
  /** Ends the pause; where there is none, the next one. */
  wake(): void;
  /** Resolves after the milliseconds, or when it is woken; with whether it was woken. */
  sleep(ms: number): Promise<boolean>;
}

/** Nobody sleeps, and nothing is due. */
export const createWakeableSleep = (): WakeableSleep => {
  let isWoken = false;
  let end: (() => void) | undefined;
  return {
    wake: () => {
      isWoken = true;
      end?.();
    },
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => end?.(), ms);
        end = () => {
          clearTimeout(timer);
          end = undefined;
          resolve(isWoken);
          isWoken = false;
        };
        if (isWoken) end();
      }),
  };
};
