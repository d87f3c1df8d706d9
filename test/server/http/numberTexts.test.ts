import { expect } from 'chai';
import fc from 'fast-check';
import { parseKeepingNumbers } from '../../../server/http/numberTexts.ts';

describe('parseKeepingNumbers', () => {
  it('keeps the text of numbers only in the named fields of the outermost object', () => {
    const text = '{"a":51.500,"b":1.0,"c":{"a":2.0},"d":[{"a":3.0}]}';
    expect(parseKeepingNumbers(text, ['a'])).to.eql({ a: '51.500', b: 1, c: { a: 2 }, d: [{ a: 3 }] });
  });

  it('keeps every digit, sign and exponent', () => {
    for (const number of ['0.10000000000000000001', '-0', '-0.0', '1E+1', '5e-324', '1e400', '123456789012345678901']) {
      expect(parseKeepingNumbers(`{"a": ${number} }`, ['a'])).to.eql({ a: number });
    }
  });

  it('leaves values that are not numbers unchanged', () => {
    for (const value of ['x', true, null, [], {}]) {
      expect(parseKeepingNumbers(JSON.stringify({ a: value }), ['a'])).to.eql({ a: value });
    }
    for (const value of [1, 'x', null, [1]]) {
      expect(parseKeepingNumbers(JSON.stringify(value), ['a'])).to.eql(value);
    }
  });

  it('keeps the last value of a repeated name', () => {
    expect(parseKeepingNumbers('{"a":1.0,"a":2.00}', ['a'])).to.eql({ a: '2.00' });
    expect(parseKeepingNumbers('{"a":1.0,"a":"x"}', ['a'])).to.eql({ a: 'x' });
    expect(parseKeepingNumbers('{"a":{"a":1.0},"a":3.0}', ['a'])).to.eql({ a: '3.0' });
  });

  it('equals JSON.parse if no field is named', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(parseKeepingNumbers(text, []))).to.equal(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});
