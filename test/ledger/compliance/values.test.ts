import { expect } from 'chai';
import fc from 'fast-check';
import { holds, parseAssertion, toActual } from '../../../ledger/compliance/rules/assertion.ts';
import { toGoDuration, toMs } from '../../../ledger/compliance/rules/duration.ts';
import { compareCodePoints } from '../../../ledger/encoding/codePoints.ts';
import { compareDecimals, parseDecimal } from '../../../ledger/encoding/decimal.ts';

const holdsOf = (text: string, actual: string): boolean => holds(parseAssertion(text)!, toActual(actual));

describe('assertions', () => {
  it('are split at the first operator, of two the longer', () => {
    const cases = [
      ['a=b', 'a', '=', 'b'],
      ['a!=b', 'a', '!=', 'b'],
      ['a>=b', 'a', '>=', 'b'],
      ['a<=b', 'a', '<=', 'b'],
      ['a>b=c', 'a', '>', 'b=c'],
      ['a!>b', 'a!', '>', 'b'],
      ['the level <7', 'the level ', '<', '7'],
      ['a=\nb', 'a', '=', '\nb'],
      ['__proto__=1', '__proto__', '=', '1'],
      ['attributes.rad<7', 'rad', '<', '7'],
      ['attributes.attributes.rad<7', 'attributes.rad', '<', '7'],
      ['Attributes.rad<7', 'Attributes.rad', '<', '7'],
    ] as const;
    for (const [text, attribute, operator, value] of cases) {
      expect(parseAssertion(text), text).to.deep.equal({ attribute, operator, value });
    }
  });

  it('have an attribute, an operator and a value', () => {
    for (const text of [
      '',
      'rad',
      '<7',
      '=',
      '!=',
      '!=7',
      '==1',
      '<=1',
      '>=1',
      'rad<',
      'rad>=',
      'rad!',
      'rad:7',
      'rad==7',
      'rad=<7',
      'rad<>7',
      'rad=!=7',
      'attributes.',
      'attributes.rad',
      'attributes.<7',
    ]) {
      expect(parseAssertion(text), text).to.equal(undefined);
    }
  });

  it('compare decimal numbers digit by digit', () => {
    expect(holdsOf('a=0.10', '0.1')).to.equal(true);
    expect(holdsOf('a=0.3', '0.30000000000000004')).to.equal(false);
    expect(holdsOf('a<12345678901234567891', '12345678901234567890')).to.equal(true);
    expect(holdsOf('a=9007199254740993', '9007199254740992')).to.equal(false);
    expect(holdsOf('a<9', '10')).to.equal(false);
    expect(holdsOf('a=-0', '+0.00')).to.equal(true);
    expect(holdsOf('a>1e-5', '0.00002')).to.equal(true);
  });

  it('compare as texts where the bound is no decimal number, and for equality where either is none', () => {
    expect(holdsOf('a<9 kg', '10 kg')).to.equal(true);
    expect(holdsOf('a<b', '7')).to.equal(true);
    expect(holdsOf('a=7', ' 7')).to.equal(false);
    expect(holdsOf('a!=7', ' 7')).to.equal(true);
    expect(holdsOf('a=0x7', '7')).to.equal(false);
    expect(holdsOf('a=NaN', 'NaN')).to.equal(true);
    expect(holdsOf('a>\uffff', '\u{10000}')).to.equal(true);
  });

  it('order nothing but numbers by a number', () => {
    for (const actual of ['10 kg', 'abc', ' 7', '7 ', '0x7', '1,5', 'NaN', '-Infinity', '\uff11']) {
      for (const operator of ['<', '>', '<=', '>='])
        for (const bound of ['9', '-1e9', '1e9', '0']) {
          expect(holdsOf(`a${operator}${bound}`, actual), `${actual} ${operator} ${bound}`).to.equal(false);
        }
      expect(holdsOf('a!=9', actual)).to.equal(true);
    }
  });

  it('never hold of the empty text', () => {
    for (const operator of ['=', '!=', '<', '>', '<=', '>=']) {
      for (const bound of ['0', '-1', 'b', '*']) expect(holdsOf(`a${operator}${bound}`, '')).to.equal(false);
    }
  });

  it('answer at once, whatever the numbers', () => {
    const [huge, digits] = ['1e999999999', '9'.repeat(4000)];
    expect(holdsOf(`a<${huge}`, `${digits}`)).to.equal(true);
    expect(holdsOf(`a<1e${digits}`, huge)).to.equal(true);
    expect(holdsOf(`a>-${huge}`, `-1e${digits}`)).to.equal(false);
    expect(holdsOf(`a=0e${digits}`, '0')).to.equal(true);
    expect(holdsOf(`a=1${'0'.repeat(4000)}1x`, `${digits}x`)).to.equal(false);
  });
});

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

  it('are ordered as whole numbers of their smallest places', () => {
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
    fc.assert(check, { numRuns: 1000 });
  });
});

describe('code points', () => {
  it('order texts as their UTF-8 bytes do', () => {
    const character = fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}');
    const text = fc.array(character, { maxLength: 4 }).map((parts) => parts.join(''));
    const check = fc.property(text, text, (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).to.equal(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    });
    fc.assert(check, { numRuns: 1000 });
  });
});

describe('durations', () => {
  it('have the form of Go, cut to whole seconds', () => {
    const cases = [
      [0, '0s'],
      [999, '0s'],
      [20_241, '20s'],
      [59_999, '59s'],
      [60_000, '1m0s'],
      [65_000, '1m5s'],
      [3_599_999, '59m59s'],
      [3_600_000, '1h0m0s'],
      [259_200_000, '72h0m0s'],
      [90_061_000, '25h1m1s'],
    ] as const;
    for (const [durationMs, text] of cases) expect(toGoDuration(durationMs)).to.equal(text);
  });

  it('come from up to 18 digits of seconds', () => {
    expect(toMs('10')).to.equal(10_000);
    expect(toMs('000000000000000010')).to.equal(10_000);
    expect(toMs('999999999999999999')).to.be.greaterThan(8.64e15 * 2);
  });
});
