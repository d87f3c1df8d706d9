import { expect } from 'chai';
import { toGrantSet } from '../../../../indexer/reads/sharing/grantSet.ts';
import { toGrants } from '../../../../ledger/sharing/grants.ts';
import { anAccessPolicyRecord } from '../../../support/records.ts';

describe('the set of grants', () => {
  it('is made once for the same array, and another one for another', () => {
    const grants = toGrants(anAccessPolicyRecord(1));
    expect(toGrantSet(grants)).to.equal(toGrantSet(grants));
    expect(toGrantSet([...grants])).to.not.equal(toGrantSet(grants));
  });
});
