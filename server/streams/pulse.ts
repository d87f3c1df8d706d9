// Wakes one waiter. A call while nobody waits is kept for the next wait.

/** Calls to one waiter. */
export interface Pulse {
  /** Ends the wait in progress, or the next one. */
  ring(): void;
  /** Resolves to true when `ring` was called since the last wait ended, or to false after this many milliseconds. */
  wait(timeoutMs: number): Promise<boolean>;
}

/** A pulse that nobody has rung. */
export const createPulse = (): Pulse => {
  let isRung = false;
  let resume: (() => void) | undefined;
  const take = (): boolean => {
    const taken = isRung;
    isRung = false;
    return taken;
  };
  return {
    ring: () => {
      isRung = true;
      resume?.();
    },
    wait: async (timeoutMs) => {
      if (isRung) return take();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      resume = undefined;
      return take();
    },
  };
};
