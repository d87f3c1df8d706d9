// Ends the process that preloads it at a step: before or after a database is written, and before or after a node gets a
// transaction.
import { Level } from 'level';
import { around } from './killSteps.ts';

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
