// Ends the process that preloads it (`--import`) with SIGKILL at its step number KILL_AT, counted from when the file
// KILL_FROM is there: before or after a database is written, and before or after a node gets a transaction.
import { existsSync } from 'node:fs';
import { Level } from 'level';

const { KILL_AT, KILL_FROM } = process.env;
let steps = 0;
const step = (): void => {
  if (!existsSync(KILL_FROM!)) return;
  steps += 1;
  if (steps === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL');
};

const around = async <T>(act: () => Promise<T>): Promise<T> => {
  step();
  const result = await act();
  step();
  return result;
};

type Write = (this: unknown, ...args: unknown[]) => Promise<void>;
const methods = Level.prototype as unknown as { put: Write; batch: Write };
const { put, batch } = methods;
methods.put = function (...args) {
  return around(() => put.apply(this, args));
};
methods.batch = function (...args) {
  if (args.length > 0) return around(() => batch.apply(this, args));
  const chained = batch.call(this) as unknown as { write: Write };
  const write = chained.write.bind(chained);
  chained.write = (...options) => around(() => write(...options));
  return chained as unknown as Promise<void>;
};

const { fetch } = globalThis;
globalThis.fetch = (input, init) =>
  String(init?.body).includes('eth_sendRawTransaction') ? around(() => fetch(input, init)) : fetch(input, init);
