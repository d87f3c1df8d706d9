// When the processes of the server submitted each record.
import type { SubmittedRecord } from '../../../chain/writing/submission.ts';
import { currentProcess, type SimulatedProcess } from '../world/processes.ts';
import { theWorld } from '../world/world.ts';

/** The submissions of one record, in virtual milliseconds. */
export interface RecordSubmissions {
  readonly firstMs: number;
  lastMs: number;
  /** The newest process that submitted it. */
  process: SimulatedProcess | undefined;
  /** When that process submitted it first. */
  processMs: number;
  /** Whether another process had submitted it before. */
  isAgain: boolean;
}

/** The submissions of a run. */
export interface Submissions {
  /** The current process submits these records in one transaction. */
  add(records: readonly SubmittedRecord[]): void;
  /** By identity. */
  readonly records: ReadonlyMap<string, Readonly<RecordSubmissions>>;
}

/** The submissions of a run that begins. */
export const createSubmissions = (): Submissions => {
  const records = new Map<string, RecordSubmissions>();
  const note = (identity: string): void => {
    const process = currentProcess();
    const nowMs = theWorld().nowMs();
    const known = records.get(identity);
    if (known === undefined)
      records.set(identity, { firstMs: nowMs, lastMs: nowMs, process, processMs: nowMs, isAgain: false });
    else {
      known.lastMs = nowMs;
      if (known.process !== process) Object.assign(known, { process, processMs: nowMs, isAgain: true });
    }
  };
  return {
    add: (submitted) => {
      for (const { record } of submitted) note(record.identity);
    },
    records,
  };
};
