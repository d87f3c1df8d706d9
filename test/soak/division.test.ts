import { expect } from 'chai';
import { toKillingMinutes, toMinutesForLongRun } from './division.ts';

describe('the division of a soak test', () => {
  it('has kills for 40 % of the time, and at most 20 minutes', () => {
    expect(toKillingMinutes(20)).to.be.closeTo(8, 1e-9);
    expect(toKillingMinutes(50)).to.be.closeTo(20, 1e-9);
    expect(toKillingMinutes(600)).to.equal(20);
  });

  it('is inverted by the duration for a long run', () => {
    for (const minutes of [1, 20, 49, 51, 600])
      expect(toMinutesForLongRun(minutes - toKillingMinutes(minutes))).to.be.closeTo(minutes, 1e-9);
  });
});
