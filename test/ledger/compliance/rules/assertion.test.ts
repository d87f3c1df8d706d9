import { expect } from 'chai';
import { holds, parseAssertion, toActual } from '../../../../ledger/compliance/rules/assertion.ts';

const holdsOf = (text: string, actual: string): boolean =>
  holds(parseAssertion(text, undefined)!, toActual(actual), undefined);

describe('assertions', () => {
  it('are split at the first operator, the longer of two at the same place', () => {
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
      expect(parseAssertion(text, undefined), text).to.deep.equal({ attribute, operator, value });
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
      expect(parseAssertion(text, undefined), text).to.equal(undefined);
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

  it('are compared as texts where the value is not a decimal number, and for equality where either is not', () => {
    expect(holdsOf('a<9 kg', '10 kg')).to.equal(true);
    expect(holdsOf('a<b', '7')).to.equal(true);
    expect(holdsOf('a=7', ' 7')).to.equal(false);
    expect(holdsOf('a!=7', ' 7')).to.equal(true);
    expect(holdsOf('a=0x7', '7')).to.equal(false);
    expect(holdsOf('a=NaN', 'NaN')).to.equal(true);
    expect(holdsOf('a>\uffff', '\u{10000}')).to.equal(true);
  });

  it('with an order and a number hold only for numbers', () => {
    for (const actual of ['10 kg', 'abc', ' 7', '7 ', '0x7', '1,5', 'NaN', '-Infinity', '\uff11']) {
      for (const operator of ['<', '>', '<=', '>='])
        for (const bound of ['9', '-1e9', '1e9', '0']) {
          expect(holdsOf(`a${operator}${bound}`, actual), `${actual} ${operator} ${bound}`).to.equal(false);
        }
      expect(holdsOf('a!=9', actual)).to.equal(true);
    }
  });

  it('never hold for the empty text', () => {
    for (const operator of ['=', '!=', '<', '>', '<=', '>=']) {
      for (const bound of ['0', '-1', 'b', '*']) expect(holdsOf(`a${operator}${bound}`, '')).to.equal(false);
    }
  });

  it('are fast, whatever the numbers', () => {
    const [huge, digits] = ['1e999999999', '9'.repeat(4000)];
    expect(holdsOf(`a<${huge}`, `${digits}`)).to.equal(true);
    expect(holdsOf(`a<1e${digits}`, huge)).to.equal(true);
    expect(holdsOf(`a>-${huge}`, `-1e${digits}`)).to.equal(false);
    expect(holdsOf(`a=0e${digits}`, '0')).to.equal(true);
    expect(holdsOf(`a=1${'0'.repeat(4000)}1x`, `${digits}x`)).to.equal(false);
  });
});
