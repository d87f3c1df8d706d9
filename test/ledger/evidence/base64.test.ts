import { expect } from 'chai';
import fc from 'fast-check';
import { fromBase64, toBase64 } from '../../../ledger/evidence/base64.ts';
import { runs } from '../../support/propertyRuns.ts';
import { isUnreadable } from '../../support/unreadable.ts';

describe('base64', () => {
  it('is that of Node, and decodes to what it was encoded from', () => {
    const check = fc.property(fc.uint8Array(), (bytes) => {
      expect(toBase64(bytes)).to.equal(Buffer.from(bytes).toString('base64'));
      expect(fromBase64(toBase64(bytes))).to.deep.equal(bytes);
    });
    fc.assert(check);
  });

  it('of many bytes is that of Node', () => {
    for (const length of [8191, 8192, 8193, 1_000_000]) {
      const bytes = Uint8Array.from({ length }, (_, at) => at * 7);
      expect(toBase64(bytes)).to.equal(Buffer.from(bytes).toString('base64'));
      expect(fromBase64(toBase64(bytes))).to.deep.equal(bytes);
    }
  });

  it('has one text for some bytes', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'AQgw+/=-_ \n\u00e9'), maxLength: 12 });
    const check = fc.property(texts, (text) => {
      let bytes: Uint8Array | undefined;
      if (!isUnreadable(() => (bytes = fromBase64(text)))) expect(toBase64(bytes!)).to.equal(text);
    });
    fc.assert(check, runs(1000));
  });

  for (const [name, text] of [
    ['no padding', 'AA'],
    ['too much padding', 'AAAA===='],
    ['unused bits', 'AB=='],
    ['a blank', 'AA ='],
    ['a line break', 'AAAA\n'],
    ['the alphabet for URLs', '-_-_'],
    ['another character', 'AAA\u0100'],
  ] as const) {
    it(`is unreadable with ${name}`, () => expect(isUnreadable(() => fromBase64(text))).to.equal(true));
  }
});
