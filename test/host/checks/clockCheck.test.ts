import { expect } from 'chai';
import { toHeldMs, toNewestMs } from '../../../host/checks/clockCheck.ts';

const NONE = { acceptedMs: undefined, blockSeconds: undefined };

describe('the newest written times', () => {
  it('hold the clock at the end of the second of the newest block, up to which its records were accepted', () => {
    expect(toHeldMs({ ...NONE, blockSeconds: 100 })).to.equal(99_999);
    expect(toNewestMs({ ...NONE, blockSeconds: 100 })).to.equal(99_000);
  });

  it('are those of the outbox where they are later, or where there is no embedded chain', () => {
    expect(toHeldMs({ acceptedMs: 100_001, blockSeconds: 100 })).to.equal(100_001);
    expect(toNewestMs({ acceptedMs: 99_001, blockSeconds: 100 })).to.equal(99_001);
    expect(toHeldMs({ ...NONE, acceptedMs: 5 })).to.equal(5);
    expect(toNewestMs({ ...NONE, acceptedMs: 5 })).to.equal(5);
  });

  it('do not hold the clock of a new ledger', () => {
    expect(Number.isFinite(toHeldMs(NONE))).to.equal(false);
    expect(Number.isFinite(toNewestMs(NONE))).to.equal(false);
  });
});
