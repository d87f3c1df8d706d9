import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';

describe('the runs of a property', () => {
  it('end with the one that is in progress when their time is over', async () => {
    const clock = mock.method(performance, 'now', () => 0);
    let [begun, ended] = [0, 0];
    try {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async () => {
          begun += 1;
          clock.mock.mockImplementation(() => 60_000);
          await setImmediate();
          ended += 1;
        }),
      );
    } finally {
      clock.mock.restore();
    }
    expect([begun, ended]).to.deep.equal([1, 1]);
  });
});
