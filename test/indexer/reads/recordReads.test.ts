import { expect } from 'chai';
import { readCommitments, readRecordOf } from '../../../indexer/reads/recordReads.ts';
import { encodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';
import { createIndexModel } from '../../support/indexModel.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import { ALPHA, anEvent, aTenantRecord, BETA, eventOf } from '../../support/records.ts';

const index = createIndexModel();
index.take(toRecordLog({ record: aTenantRecord(ALPHA) }, 1));
index.take(toRecordLog({ record: anEvent() }, 2, 5));

const asked = (record: LedgerRecord, tenantIdentity = ALPHA) => ({
  tenantIdentity,
  record,
  payload: encodePayload(record),
});

describe('readCommitments', () => {
  it('gives the commitments of what the index has, in the order asked for', () => {
    const records = [asked(anEvent()), asked(anEvent({ identity: eventOf(1, 9) })), asked(aTenantRecord(ALPHA))];
    const places = readCommitments(index, records).map((found) => found && [found.block_number, found.log_index]);
    expect(places).to.deep.equal([[2, 5], undefined, [1, 0]]);
  });

  it('gives none of a record of the same identity with other content', () => {
    expect(readCommitments(index, [asked(anEvent({ operation: 'other' }))])).to.deep.equal([undefined]);
  });

  it('gives none of the same record of another tenant', () => {
    expect(readCommitments(index, [asked(anEvent(), BETA)])).to.deep.equal([undefined]);
  });
});

describe('readRecordOf', () => {
  it('gives a record of the type that is asked for, and none of another', () => {
    const name = { tenantIdentity: ALPHA, identity: eventOf(1, 1) };
    expect(readRecordOf(index, name, 'event')).to.deep.equal(anEvent());
    expect(readRecordOf(index, name, 'blob')).to.equal(undefined);
    expect(readRecordOf(index, { ...name, tenantIdentity: BETA }, 'event')).to.equal(undefined);
  });
});
