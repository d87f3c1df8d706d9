// Ends the process that preloads it (`--import`) with SIGKILL at its step number KILL_AT. Where KILL_FROM names a file,
// steps are counted from when it is there. A step is before or after a node gets a transaction, and what importing
// modules make one.
import { existsSync } from 'node:fs';

const { KILL_AT, KILL_FROM } = process.env;
let steps = 0;

/** A step of the process. */
export const step = (): void => {
  if (KILL_FROM !== undefined && !existsSync(KILL_FROM)) return;
  steps += 1;
  if (steps === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL');
};

/** A step before and one after it. */
export const around = async <T>(act: () => Promise<T>): Promise<T> => {
  step();
  const result = await act();
  step();
  return result;
};

const { fetch } = globalThis;
globalThis.fetch = (input, init) =>
  String(init?.body).includes('eth_sendRawTransaction') ? around(() => fetch(input, init)) : fetch(input, init);
