// The mistakes that the code under test raises: what would end its process.

/** Registers mocha hooks that collect what nothing catches, in place of mocha, which fails the test then. */
export const useRaisedDefects = (): (() => readonly unknown[]) => {
  let raised: unknown[] = [];
  let listeners: NodeJS.UncaughtExceptionListener[] = [];
  const collect = (cause: unknown): void => void raised.push(cause);
  beforeEach(() => {
    raised = [];
    listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', collect);
  });
  afterEach(() => {
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
  });
  return () => raised;
};
