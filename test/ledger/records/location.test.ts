import { expect } from 'chai';
import { isLocationRecord, toLocationResource } from '../../../ledger/records/location.ts';
import { aLocationRecord, locationOf } from '../../support/records.ts';

describe('isLocationRecord', () => {
  it('accepts versions that state whether they delete the location, and those that do not', () => {
    const record = aLocationRecord(4);
    expect(record).not.to.have.property('is_deleted');
    expect([record, { ...record, is_deleted: false }, { ...record, is_deleted: true }].map(isLocationRecord)).to.eql([
      true,
      true,
      true,
    ]);
  });
});

describe('toLocationResource', () => {
  it('has every documented field', () => {
    expect(toLocationResource(aLocationRecord(4, { is_deleted: true }))).to.deep.equal({
      identity: locationOf(4),
      display_name: 'mint works',
      description: '',
      latitude: '51.500000',
      longitude: '-0.1',
      attributes: { address: 'Tower Hill' },
    });
  });
});
