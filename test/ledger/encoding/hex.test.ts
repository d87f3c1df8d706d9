import { expect } from 'chai';
import fc from 'fast-check';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';

describe('hexadecimal text', () => {
  it('decodes to the bytes that it was encoded from', () => {
    const check = fc.property(fc.uint8Array(), (bytes) => {
      expect(toHex(bytes)).to.equal(`0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`);
      expect(new Uint8Array(fromHex(toHex(bytes)))).to.deep.equal(bytes);
    });
    fc.assert(check);
  });

  it('encodes only the bytes of a view, not of its complete buffer', () => {
    expect(toHex(Uint8Array.of(1, 2, 3, 4).subarray(1, 3))).to.equal('0x0203');
  });

  it('is decoded in either case', () => {
    expect([...fromHex('0xaAFf')]).to.deep.equal([0xaa, 0xff]);
    expect([...fromHex('0x')]).to.deep.equal([]);
  });

  for (const [name, text] of [
    ['an odd number of digits', '0x123'],
    ['no prefix', '1234'],
    ['another prefix', '0X12'],
    ['a letter beyond f', '0x1g'],
    ['a space', '0x 1'],
    ['a line break at the end', '0x12\n'],
    ['a prefix twice', '0x0x12'],
    ['digits of other alphabets', '0xбб'],
    ['nothing', ''],
  ] as const) {
    it(`with ${name} is refused`, () => expect(() => fromHex(text)).to.throw(TypeError));
  }
});
