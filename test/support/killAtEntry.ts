// Ends the process that preloads it at a step: those of killAtWrite.ts, and before an entry of a database is read in
// its order, as those of the journal are while the chain is replayed.
import { Level } from 'level';
import './killAtWrite.ts';
import { step } from './killSteps.ts';

interface Entries {
  next(): Promise<unknown>;
}
type Open = (this: unknown, ...args: unknown[]) => Entries;

const methods = Level.prototype as unknown as { iterator: Open };
const { iterator } = methods;
methods.iterator = function (...args) {
  const entries = iterator.apply(this, args);
  const next = entries.next.bind(entries);
  entries.next = () => {
    step();
    return next();
  };
  return entries;
};
