import { expect } from 'chai';
import { readCommitments, readRecordRows } from '../../indexer/recordReads.ts';
import type { Row } from '../../indexer/rows.ts';
import { encodePayload, type LedgerRecord } from '../../ledger/record.ts';
import { createIndexModel } from '../support/indexModel.ts';
import { toRecordLog } from '../support/recordLogs.ts';
import { ALPHA, anEvent, aTenantRecord, BETA, eventOf } from '../support/records.ts';

const index = createIndexModel();
const source = { readMany: (keys: readonly Buffer[]): (Row | undefined)[] => keys.map(index.read) };
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
    const places = readCommitments(source, records).map((found) => found && [found.block_number, found.log_index]);
    expect(places).to.deep.equal([[2, 5], undefined, [1, 0]]);
  });

  it('gives none of a record of the same identity with other content', () => {
    expect(readCommitments(source, [asked(anEvent({ operation: 'other' }))])).to.deep.equal([undefined]);
  });

  it('gives none of the same record of another tenant', () => {
    expect(readCommitments(source, [asked(anEvent(), BETA)])).to.deep.equal([undefined]);
  });
});

describe('readRecordRows', () => {
  it('gives the rows in the order asked for', () => {
    const names = [eventOf(1, 9), anEvent().identity].map((identity) => ({ tenantIdentity: ALPHA, identity }));
    expect(readRecordRows(source, names).map((row) => row?.record)).to.deep.equal([undefined, anEvent()]);
  });
});
