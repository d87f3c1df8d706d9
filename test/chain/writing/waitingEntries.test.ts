// Since when entries of the outbox wait for the chain.
import { expect } from 'chai';
import type { OutboxEntry } from '../../../chain/writing/outboxEntries.ts';
import { createWaitingEntries } from '../../../chain/writing/waitingEntries.ts';
import { encodePayload } from '../../../ledger/records/record.ts';
import { ALPHA, aCreation } from '../../support/records.ts';

const NONE = { unmined: undefined, unfinal: undefined };

const entryOf = (sequence: number): OutboxEntry => {
  const record = aCreation();
  const given = { tenantIdentity: ALPHA, streamIdentity: record.identity, record, payload: encodePayload(record) };
  return { sequence, ...given, status: 'PENDING', reason: '' };
};

describe('entries that wait for the chain', () => {
  let nowMs: number;
  const open = (recovered: readonly OutboxEntry[] = []) => {
    nowMs = 1_000;
    return createWaitingEntries(() => nowMs, recovered);
  };
  const [first, second] = [entryOf(1), entryOf(2)];

  it('wait from their first submission, however often they are submitted again', () => {
    const waits = open();
    expect(waits.readOldest()).to.deep.equal(NONE);
    waits.begin([first, second]);
    for (nowMs = 2_000; nowMs <= 4_000; nowMs += 1_000) {
      waits.noteFailure([first, second]);
      waits.begin([first]);
    }
    const sinceFirst = { sinceMs: 1_000, isRecovered: false };
    expect(waits.readOldest()).to.deep.equal({ ...NONE, unmined: { ...sinceFirst, hasFailed: true } });
    waits.mine([first, second]);
    expect(waits.readOldest()).to.deep.equal({ ...NONE, unfinal: sinceFirst });
    waits.end([first, second]);
    expect(waits.readOldest()).to.deep.equal(NONE);
    // A reorg has removed it.
    waits.begin([second]);
    expect(waits.readOldest().unmined).to.include(sinceFirst);
  });

  it('of an earlier process wait since their records were accepted, once they are submitted', () => {
    const waits = open([first]);
    expect(waits.readOldest()).to.deep.equal(NONE);
    waits.begin([second]);
    expect(waits.readOldest().unmined).to.include({ sinceMs: 1_000, isRecovered: false });
    nowMs = Date.now();
    const later = createWaitingEntries(() => nowMs, [first]);
    later.begin([first, second]);
    const sinceMs = Date.parse(first.record.timestamp_accepted);
    expect(later.readOldest().unmined).to.include({ sinceMs, isRecovered: true });
  });
});
