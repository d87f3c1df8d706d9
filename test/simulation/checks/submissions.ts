// Which records more than one process of the server submitted: a later one after a restart.
import type { SubmittedRecord } from '../../../chain/writing/submission.ts';
import { currentProcess, type SimulatedProcess } from '../world/processes.ts';

/** The submissions of a run. */
export interface Submissions {
  /** The current process submits these records in one transaction. */
  add(records: readonly SubmittedRecord[]): void;
  /** Identities of the records that more than one process submitted. */
  findSubmittedAgain(): ReadonlySet<string>;
}

/** The submissions of a run that begins. */
export const createSubmissions = (): Submissions => {
  const first = new Map<string, SimulatedProcess | undefined>();
  const again = new Set<string>();
  return {
    add: (records) => {
      const process = currentProcess();
      for (const { identity } of records.map(({ record }) => record)) {
        if (!first.has(identity)) first.set(identity, process);
        else if (first.get(identity) !== process) again.add(identity);
      }
    },
    findSubmittedAgain: () => again,
  };
};
