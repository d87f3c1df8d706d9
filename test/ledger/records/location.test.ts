import { expect } from 'chai';
import { toLocationResource } from '../../../ledger/records/location.ts';
import { aLocationRecord, locationOf } from '../../support/records.ts';

describe('toLocationResource', () => {
  it('has every documented field', () => {
    expect(toLocationResource(aLocationRecord(4))).to.deep.equal({
      identity: locationOf(4),
      display_name: 'mint works',
      description: '',
      latitude: '51.500000',
      longitude: '-0.1',
      attributes: { address: 'Tower Hill' },
    });
  });
});
