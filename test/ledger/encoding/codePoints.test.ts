import { expect } from 'chai';
import fc from 'fast-check';
import { compareCodePoints } from '../../../ledger/encoding/codePoints.ts';
import { runs } from '../../support/propertyRuns.ts';

describe('code points', () => {
  it('order texts as their UTF-8 bytes do', () => {
    const character = fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}');
    const text = fc.array(character, { maxLength: 4 }).map((parts) => parts.join(''));
    const check = fc.property(text, text, (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).to.equal(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    });
    fc.assert(check, runs(1000));
  });
});
