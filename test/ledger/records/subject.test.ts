import { expect } from 'chai';
import { toSubject } from '../../../ledger/records/subject.ts';
import { aSubjectRecord, subjectOf, WALLET_KEY } from '../../support/records.ts';

describe('toSubject', () => {
  it('derives the addresses of the wallets, with their checksums', () => {
    expect(toSubject(aSubjectRecord(3, { tessera_pub_key: ['efdg'] }))).to.deep.equal({
      identity: subjectOf(3),
      display_name: 'harbour office',
      wallet_pub_key: [WALLET_KEY],
      wallet_address: ['0x99Fa4AAB0AF2B53f158083D8f244bb4523388197'],
      tessera_pub_key: ['efdg'],
    });
  });

  it('is undefined for a version that deletes the subject', () => {
    expect(toSubject(aSubjectRecord(3, { is_deleted: true }))).to.equal(undefined);
  });
});
