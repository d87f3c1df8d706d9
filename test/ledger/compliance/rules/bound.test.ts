import { expect } from 'chai';
import { holds, parseAssertion, toActual } from '../../../../ledger/compliance/rules/assertion.ts';
import { toBound } from '../../../../ledger/compliance/rules/bound.ts';

const signOf = (value: string, bound: string): number | undefined => {
  const order = toBound(bound)?.compare(value);
  return order === undefined ? undefined : Math.sign(order);
};

const expectAscending = (values: readonly string[]): void => {
  for (const [at, value] of values.entries())
    for (const [other, bound] of values.entries())
      expect(signOf(value, bound), `${value} with ${bound}`).to.equal(Math.sign(at - other));
};

describe('a bound', () => {
  it('orders versions by their numbers and pre-releases', () => {
    expectAscending(['1.9.0', '1.10.0-alpha', '1.10.0-rc.2', '1.10.0-rc.10', '1.10.0-rc.10.1', '1.10.0', 'v1.10.1']);
    expectAscending(['1.0.0-1', '1.0.0-2', '1.0.0-10', '1.0.0-a', '1.0.0-a-b', '1.0.0']);
    expectAscending(['0.0.1', '0.1.0', `0.${'9'.repeat(30)}.0`, `0.1${'0'.repeat(30)}.0`]);
    for (const [value, bound] of [
      ['1.0', '1.0.0'],
      ['2', 'v2.0'],
      ['1.010.0', '1.10.0'],
      ['1.0.0+build.5', 'V1.0.0+7'],
    ] as const)
      expect(signOf(value, bound), `${value} with ${bound}`).to.equal(0);
  });

  it('orders a time with a long fraction in linear time', () => {
    // In quadratic time, this would not end.
    const zeros = '0'.repeat(2 ** 21);
    expect(signOf(`2026-11-27T10:15:01.${zeros}1`, '2026-11-27T10:15:01')).to.equal(1);
    expect(signOf(`2026-11-27T10:15:01.${zeros}`, '2026-11-27T10:15:01')).to.equal(0);
  });

  it('orders dates and times, as exactly as it is itself', () => {
    expectAscending(['0001-01-01', '2026-02-28', '2026-11-27', '2027-01-01']);
    expectAscending(['2026-10', '2026-11', '2027-01']);
    expectAscending(['2026-11-27T10:15', '2026-11-27T10:15:01', '2026-11-27T10:15:01,05', '2026-11-27T10:15:01.5']);
    expectAscending(['2026-11-27T10:14:59.999Z', '2026-11-27T10:15Z', '2026-11-27T10:15:00.001Z']);
    for (const [value, bound] of [
      ['2026-11-27T23:59:59Z', '2026-11-27'],
      ['2026-11-27', '2026-11'],
      ['2026-11-27T11:15:00+01:00', '2026-11-27T10:15Z'],
      ['2026-11-27T09:45:00.000-0030', '2026-11-27T10:15:00Z'],
      ['2026-11-28T00:15+14', '2026-11-27T10:15Z'],
    ] as const)
      expect(signOf(value, bound), `${value} with ${bound}`).to.equal(0);
  });

  it('orders decimal numbers exactly', () => {
    expectAscending(['-1e9', '-1', '0', '0.1', '0.10000000000000000001', '9', '10', '1e400']);
  });

  it('does not order values of another kind', () => {
    for (const [value, bound] of [
      ['beta', '1.10.0'],
      ['2026-11-27', '1.10.0'],
      ['1.10.0', '1.10'],
      ['1.10.0', '2026-11-27'],
      ['2026-2-1', '2026-11-27'],
      ['2026-02-30', '2026-11-27'],
      ['2026-11', '2026-11-27'],
      ['2026-11-27', '2026-11-27T10:15Z'],
      ['2026-11-27T10:15', '2026-11-27T10:15Z'],
      ['2026-11-27T10:15Z', '2026-11-27T10:15'],
      ['2026-11-27 10:15Z', '2026-11-27T10:15Z'],
      ['2026-11-27T24:00Z', '2026-11-27T10:15Z'],
      ['2026-11-27T10:15:60Z', '2026-11-27T10:15Z'],
      ['1.0.0 ', '1.0.0'],
      ['1.0.0\n', '1.0.0'],
      ['1-rc', '1.0.0'],
      ['1.0.0-', '1.0.0'],
      ['\u0661.0.0', '1.0.0'],
      ['', '1.0.0'],
    ] as const)
      expect(signOf(value, bound), `${value} with ${bound}`).to.equal(undefined);
  });

  it('is no text without an order', () => {
    for (const text of ['b', 'zebra', '9 kg', '2026-2-1', '1..0', 'v', '1.0.0-', '1,5', '2026-13', '', '-1.2.3'])
      expect(toBound(text), text).to.equal(undefined);
  });

  it('is fast, whatever the texts', () => {
    const long = '1.'.repeat(2_000);
    expect(signOf(`${long}1`, `${long}2`)).to.equal(-1);
    expect(signOf(`1.0-${'a.'.repeat(2_000)}`, '1.0.0')).to.equal(undefined);
  });

  it('decides an assertion only in a policy that names the order of values', () => {
    const holdsOf = (text: string, value: string, order?: 'typed') =>
      holds(parseAssertion(text, undefined)!, toActual(value), order);
    expect([holdsOf('fw>=1.10.0', '1.9.0'), holdsOf('fw>=1.10.0', '1.9.0', 'typed')]).to.eql([true, false]);
    expect([holdsOf('at>2026-11-27', '2026-2-1'), holdsOf('at>2026-11-27', '2026-2-1', 'typed')]).to.eql([true, false]);
    expect([holdsOf('grade<b', 'a'), holdsOf('grade<b', 'a', 'typed')]).to.eql([true, false]);
    for (const order of [undefined, 'typed'] as const) {
      expect([holdsOf('t<8', '7', order), holdsOf('t<8', '9', order), holdsOf('t<8', 'x', order)]).to.eql([
        true,
        false,
        false,
      ]);
      expect([holdsOf('fw=1.10.0', '1.10', order), holdsOf('t=1.0', '1', order)]).to.eql([false, true]);
    }
  });
});
