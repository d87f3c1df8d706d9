// A server that accepts records into an index's outbox and commits them in the order of acceptance within a stream, as
// several transactions in flight do: a record of another stream may overtake. The chain refuses some.
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { toRecordLog } from './recordLogs.ts';
import { ALPHA } from './records.ts';
import type { OpenIndex } from './viewFixture.ts';

/** What a server does with one record. */
export type Step = 'accept' | 'commit' | 'overtake' | 'fail' | 'remove';

/** Creates a writer of the records that `make` returns for 1, 2, ... */
export const createListWriter = (index: OpenIndex, make: (number: number) => LedgerRecord) => {
  let accepted = 0;
  let block = 10;
  const waiting: number[] = [];
  const done = new Set<number>();
  const committed = new Set<number>();
  const streamOf = (number: number): string => toStreamIdentityOf(make(number));
  const isFirst = (number: number, at: number): boolean =>
    waiting.findIndex((other) => streamOf(other) === streamOf(number)) === at;
  const take = (number: number): void => {
    waiting.splice(waiting.indexOf(number), 1);
    done.add(number);
  };
  const commit = async (number: number | undefined): Promise<void> => {
    if (number === undefined) return;
    take(number);
    block += 1;
    const sequence = [...committed].filter((other) => streamOf(other) === streamOf(number)).length + 1;
    committed.add(number);
    await index.take([toRecordLog({ record: make(number), changed: { sequence } }, block)]);
  };
  const steps: Record<Step, () => Promise<void> | void> = {
    accept: () => {
      accepted += 1;
      const record = make(accepted);
      const entry = { sequence: accepted, tenantIdentity: ALPHA, streamIdentity: toStreamIdentityOf(record), record };
      index.outbox.push({ ...entry, status: 'PENDING' });
      waiting.push(accepted);
    },
    commit: () => commit(waiting[0]),
    overtake: () => commit(waiting.findLast(isFirst)),
    fail: () => {
      const [number] = waiting;
      if (number === undefined) return;
      take(number);
      const at = index.outbox.findIndex(({ sequence }) => sequence === number);
      index.outbox[at] = { ...index.outbox[at]!, status: 'FAILED' };
    },
    remove: () => {
      const at = index.outbox.findIndex(({ sequence, status }) => status === 'PENDING' && done.has(sequence));
      if (at !== -1) index.outbox.splice(at, 1);
    },
  };
  return steps;
};
