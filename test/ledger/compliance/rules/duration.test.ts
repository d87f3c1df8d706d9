import { expect } from 'chai';
import { toGoDuration, toMs } from '../../../../ledger/compliance/rules/duration.ts';

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
