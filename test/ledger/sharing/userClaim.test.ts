import { expect } from 'chai';
import { parseUserClaim } from '../../../ledger/sharing/userClaim.ts';

describe('a claim of a permission', () => {
  const parse = (text: string) => parseUserClaim(text, 'escaped');
  const parseEarlier = (text: string) => parseUserClaim(text, undefined);

  it('has a name and a value, divided at the first equals sign or colon', () => {
    for (const read of [parse, parseEarlier]) {
      expect(read('email=bill@example.com')).to.deep.equal({ name: 'email', value: 'bill@example.com' });
      expect(read('subject=a=b=')).to.deep.equal({ name: 'subject', value: 'a=b=' });
      expect(read('at=https://idp.example')).to.deep.equal({ name: 'at', value: 'https://idp.example' });
      expect(read(' a = b')).to.deep.equal({ name: ' a ', value: ' b' });
      expect(read('email=*')).to.deep.equal({ name: 'email', value: '*' });
    }
    expect(parse('group:maintainers')).to.deep.equal({ name: 'group', value: 'maintainers' });
    expect(parse('ex\\:group=a')).to.deep.equal({ name: 'ex:group', value: 'a' });
    expect(parse('group:a\\=b')).to.deep.equal({ name: 'group', value: 'a=b' });
  });

  it('of earlier policies is divided at the first equals sign alone', () => {
    expect(parseEarlier('ex:group=a')).to.deep.equal({ name: 'ex:group', value: 'a' });
    expect(parseEarlier('group\\=a')).to.deep.equal({ name: 'group\\', value: 'a' });
    expect(parseEarlier('email:bill')).to.equal(undefined);
  });

  it('is refused where a part is missing', () => {
    for (const text of ['', '=', ':', 'email', 'email=', 'email:', '=bill', ':bill'])
      for (const read of [parse, parseEarlier]) expect(read(text), text).to.equal(undefined);
  });
});
