import { expect } from 'chai';
import { readCommitments, readRecordOf } from '../../../indexer/reads/recordReads.ts';
import { encodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';
import { createIndexModel } from '../../support/indexModel.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import { ALPHA, anEvent, aTenantRecord, BETA, eventOf } from '../../support/records.ts';

const index = createIndexModel();
index.take(toRecordLog({ record: aTenantRecord(ALPHA) }, 1));
index.take(toRecordLog({ record: anEvent() }, 2, 5));

const toRequested = (record: LedgerRecord, tenantIdentity = ALPHA) => ({
  tenantIdentity,
  record,
  payload: encodePayload(record),
});

describe('readCommitments', () => {
  it('returns the commitments of records that the index has, in the requested order', () => {
    const records = [
      toRequested(anEvent()),
      toRequested(anEvent({ identity: eventOf(1, 9) })),
      toRequested(aTenantRecord(ALPHA)),
    ];
    const places = readCommitments(index, records).map((found) => found && [found.block_number, found.log_index]);
    expect(places).to.deep.equal([[2, 5], undefined, [1, 0]]);
  });

  it('returns none for a record with the same identity and other content', () => {
    expect(readCommitments(index, [toRequested(anEvent({ operation: 'other' }))])).to.deep.equal([undefined]);
  });

  it('returns none for the same record of another tenant', () => {
    expect(readCommitments(index, [toRequested(anEvent(), BETA)])).to.deep.equal([undefined]);
  });
});

describe('readRecordOf', () => {
  it('returns a record of the requested type, and none of another', () => {
    const name = { tenantIdentity: ALPHA, identity: eventOf(1, 1) };
    expect(readRecordOf(index, name, 'event')).to.deep.equal(anEvent());
    expect(readRecordOf(index, name, 'blob')).to.equal(undefined);
    expect(readRecordOf(index, { ...name, tenantIdentity: BETA }, 'event')).to.equal(undefined);
  });
});
