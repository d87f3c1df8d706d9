import { expect } from 'chai';
import fc from 'fast-check';
import { isCoordinate } from '../../../ledger/encoding/coordinate.ts';
import { compareDecimals, parseDecimal, splitDecimal } from '../../../ledger/encoding/decimal.ts';
import { decimalTexts } from '../../support/decimalTexts.ts';
import { runs } from '../../support/propertyRuns.ts';

describe('decimal numbers', () => {
  it('are digits with a point, a sign and an exponent, and nothing else', () => {
    for (const text of ['0', '-0', '+1', '.5', '5.', '1e5', '1E-5', '1e+5', '-.5e-0'])
      expect(parseDecimal(text), text).not.to.equal(undefined);
    const others = [
      '',
      '.',
      '-',
      '+',
      'e5',
      '.e5',
      '1e',
      '1e+',
      '1e1.5',
      '--1',
      '+-1',
      ' 1',
      '1 ',
      '1\n',
      '1,5',
      '1_0',
      '0x1',
      '1n',
      'NaN',
      'Infinity',
      '\uff11',
      '1.2.3',
    ];
    for (const text of others) expect(parseDecimal(text), text).to.equal(undefined);
  });

  it('are ordered like integers of their smallest place', () => {
    const places = 40;
    const number = fc.record({
      count: fc.oneof(fc.bigInt({ min: -300n, max: 300n }), fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })),
      exponent: fc.integer({ min: -places, max: 20 }),
    });
    const toCount = ({ count, exponent }: { count: bigint; exponent: number }) =>
      count * 10n ** BigInt(places + exponent);
    const toText = ({ count, exponent }: { count: bigint; exponent: number }) => `${count}e${exponent}`;
    const check = fc.property(number, number, (a, b) => {
      const order = compareDecimals(parseDecimal(toText(a))!, parseDecimal(toText(b))!);
      const [x, y] = [toCount(a), toCount(b)];
      expect(Math.sign(order)).to.equal(x < y ? -1 : x > y ? 1 : 0);
    });
    fc.assert(check, runs(1000));
  });
});

describe('the parts of a decimal number', () => {
  it('are as they are written, and undefined where the text has none', () => {
    const partsOf = (text: string) => Object.values(splitDecimal(text)!);
    expect(partsOf('-00.50E+07')).to.deep.equal(['-', '00', '50', '+07']);
    expect(partsOf('5.')).to.deep.equal(['', '5', '', undefined]);
    expect(partsOf('+.5')).to.deep.equal(['+', undefined, '5', undefined]);
    expect(splitDecimal('.')).to.equal(undefined);
  });
});

// Compares the multiplied-out number, with a grammar of its own.
const isWithinMultiplied = (text: string, limit: bigint): boolean => {
  const match = /^[+-]?(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (match === null || text.length > 64) return false;
  const [, whole = '', fraction = match[3] ?? '', , exponent = '0'] = match;
  const scale = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return scale < 0 ? digits <= limit * 10n ** BigInt(-scale) : digits * 10n ** BigInt(scale) <= limit;
};

describe('coordinates by the digits of a decimal number', () => {
  it('agree with the multiplied-out number', () => {
    const check = fc.property(decimalTexts, (text) => {
      expect(isCoordinate(text, 'latitude'), text).to.equal(isWithinMultiplied(text, 90n));
      expect(isCoordinate(text, 'longitude'), text).to.equal(isWithinMultiplied(text, 180n));
    });
    fc.assert(check, runs(5000));
  });
});
