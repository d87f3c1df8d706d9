// What a thread sends back is what the main thread would decode itself.
import { expect } from 'chai';
import fc from 'fast-check';
import type { RecordLog } from '../../../chain/port.ts';
import { decodeLog } from '../../../indexer/projection/decodedRecord.ts';
import {
  buffersOf,
  decodeLogs,
  decodeRecords,
  encodeLogs,
  encodeRecords,
} from '../../../indexer/projection/decodingMessages.ts';
import { histories } from '../../support/histories.ts';
import { toNaiveLog } from '../../support/ledgers.ts';
import { runs } from '../../support/propertyRuns.ts';
import { toRecordLog, toWord } from '../../support/recordLogs.ts';
import { ALPHA, aLocationRecord, anEvent, aTenantRecord, eventOf } from '../../support/records.ts';

// As the two threads exchange them: a copy, to which the buffers are moved.
const send = <T extends Parameters<typeof buffersOf>[0]>(message: T): T =>
  structuredClone(message, { transfer: buffersOf(message) });

const decodeElsewhere = (logs: readonly RecordLog[]) =>
  decodeRecords(send(encodeRecords(decodeLogs(send(encodeLogs(logs))))), logs).records;

// Assertion libraries distinguish a Buffer from another array of the same bytes; the projection does not.
const toPlain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, inner) => {
      if (inner instanceof Uint8Array) return Buffer.from(inner).toString('hex');
      return inner?.type === 'Buffer' ? Buffer.from(inner.data).toString('hex') : inner;
    }),
  );

const check = (logs: readonly RecordLog[]): void => {
  expect(toPlain(decodeElsewhere(logs))).to.deep.equal(toPlain(logs.map((log) => decodeLog(log))));
};

describe('records that another thread decodes', () => {
  it('are those that this thread would decode, for any history', () => {
    const property = fc.property(histories, (history) =>
      check(history.map((written, at) => toNaiveLog(written, at).log)),
    );
    fc.assert(property, runs(150));
  });

  it('keep their places between logs that are not records', () => {
    const payload = Uint8Array.of(9);
    const records = [aTenantRecord(ALPHA), anEvent(), aLocationRecord(1), anEvent({ identity: eventOf(1, 2) })];
    const right = records.map((record, at) => toRecordLog({ record }, at + 1));
    const wrong = right.flatMap((log) => [
      { ...log, payload },
      { ...log, recordKey: toWord(7) },
    ]);
    const logs = [wrong[0]!, right[0]!, right[1]!, wrong[1]!, wrong[2]!, right[2]!, right[3]!, wrong[3]!];
    expect(decodeElsewhere(logs).map((record) => record !== undefined)).to.deep.equal(
      [0, 1, 1, 0, 0, 1, 1, 0].map((one) => one === 1),
    );
    check(logs);
  });

  it('may be none', () => check([]));
});
