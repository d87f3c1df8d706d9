// Slips where the journal makes records durable: what is shown or answered before it is on a disk, and what the outbox
// then keeps or loses.
import type { Defect } from './defect.ts';

const ADMITTED = 'chain/writing/admittedEntries.ts';
const STORING = 'chain/writing/recordStoring.ts';

/** Defects of the storing of accepted records. */
export const storingDefects: readonly Defect[] = [
  {
    name: 'shown-before-durable',
    file: 'chain/writing/outbox.ts',
    find: '    admitted.add(entry);\n',
    replace: '    admitted.add(entry);\n    entries.put(entry);\n',
    breaks: 'a record is shown to nobody before the outbox or the journal has it',
    foundBy: 'reads, then kill',
  },
  {
    name: 'pending-before-stored',
    file: 'chain/writing/commitmentWaiters.ts',
    find: "stored.then(() => answer(toUncommitted('PENDING')), forget);",
    replace: "answer(toUncommitted('PENDING'));",
    breaks: 'a request is answered PENDING when the outbox has its record',
    foundBy: 'disk that refuses writes, then kill',
  },
  {
    name: 'answered-before-journal',
    file: 'chain/embedded/blockProducer.ts',
    find: '      await persist({ block:',
    replace: '      void persist({ block:',
    breaks: 'a transaction is mined when the journal has its block',
    foundBy: 'disk that refuses a block, kill',
    endsProcess: true,
  },
  {
    name: 'removal-while-stored-lost',
    file: ADMITTED,
    find: '!admitted.has(entry) || storing.has(entry);',
    replace: '!admitted.has(entry);',
    breaks: 'an entry that is committed while it is being stored is removed on the disk',
    foundBy: 'comparison of files and memory',
  },
  {
    name: 'kept-although-removed',
    file: ADMITTED,
    find: 'return written.filter(remove);',
    replace: `for (const entry of written) remove(entry);
      return written;`,
    breaks: 'an entry that is committed while it is being stored is removed in memory',
    foundBy: 'comparison of files and memory',
  },
  {
    name: 'submitted-record-refused',
    file: STORING,
    find: '(entries) => withdraw(new Set(entries)));',
    replace: '(entries) => [...withdraw(new Set()), ...entries]);',
    breaks: 'a record that may be on the chain is not refused',
    foundBy: 'disk that refuses writes',
  },
];
