import { mock } from 'node:test';
import { expect } from 'chai';
import { createPulse, type Pulse } from '../../../server/streams/pulse.ts';

describe('a pulse', () => {
  let pulse: Pulse;
  let results: boolean[];
  const wait = (timeoutMs: number): Promise<void> =>
    pulse.wait(timeoutMs).then((isRung) => {
      results.push(isRung);
    });
  const turn = () => new Promise(setImmediate);

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    pulse = createPulse();
    results = [];
  });
  afterEach(() => mock.timers.reset());

  it('ends the wait in progress, whose timer is cleared', async () => {
    const clear = mock.method(globalThis, 'clearTimeout');
    const waited = wait(100);
    await turn();
    expect(results).to.eql([]);
    pulse.ring();
    await waited;
    expect(results).to.eql([true]);
    expect(clear.mock.callCount()).to.equal(1);
    clear.mock.restore();
  });

  it('is kept for one wait', async () => {
    pulse.ring();
    pulse.ring();
    await wait(100);
    expect(results).to.eql([true]);
    const waited = wait(100);
    await turn();
    mock.timers.tick(99);
    await turn();
    expect(results).to.eql([true]);
    mock.timers.tick(1);
    await waited;
    expect(results).to.eql([true, false]);
  });

  it('that was rung during a wait does not end the next', async () => {
    const first = wait(100);
    pulse.ring();
    await first;
    const second = wait(100);
    await turn();
    expect(results).to.eql([true]);
    mock.timers.tick(100);
    await second;
    expect(results).to.eql([true, false]);
  });
});
