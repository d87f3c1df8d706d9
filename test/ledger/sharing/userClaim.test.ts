import { expect } from 'chai';
import { parseUserClaim } from '../../../ledger/sharing/userClaim.ts';

describe('a claim of a permission', () => {
  it('has a name and a value, divided at the first equals sign', () => {
    expect(parseUserClaim('email=bill@example.com')).to.deep.equal({ name: 'email', value: 'bill@example.com' });
    expect(parseUserClaim('subject=a=b=')).to.deep.equal({ name: 'subject', value: 'a=b=' });
    expect(parseUserClaim(' a = b')).to.deep.equal({ name: ' a ', value: ' b' });
    expect(parseUserClaim('email=*')).to.deep.equal({ name: 'email', value: '*' });
  });

  it('is refused where a part is missing', () => {
    for (const text of ['', '=', 'email', 'email=', '=bill', 'email:bill']) {
      expect(parseUserClaim(text), text).to.equal(undefined);
    }
  });
});
