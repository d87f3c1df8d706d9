// The regular work of a server, such as its looks at slow clients, only when a test lets time pass.
import { mock } from 'node:test';

/**
 * Lets `setInterval` stand still in each test of the suite, for servers that it starts. Returns the function that
 * lets milliseconds pass for it.
 */
export const useSweeps = (): ((ms: number) => void) => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());
  return (ms) => mock.timers.tick(ms);
};
