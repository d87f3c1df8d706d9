import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createRunInTurns } from '../../../server/http/requestTurns.ts';

describe('the turns of requests', () => {
  it('have so many tasks at most, in their order', async () => {
    const run = createRunInTurns(3);
    const done: number[] = [];
    const counts: number[] = [];
    for (let task = 0; task < 8; task += 1) run(() => done.push(task));
    counts.push(done.length);
    for (let turn = 0; turn < 3; turn += 1) {
      await setImmediate();
      counts.push(done.length);
    }
    expect(counts).to.deep.equal([3, 6, 8, 8]);
    expect(done).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('keep the order of tasks that come while others wait', async () => {
    const run = createRunInTurns(2);
    const done: number[] = [];
    for (const task of [0, 1, 2]) run(() => done.push(task));
    await setImmediate();
    for (const task of [3, 4, 5, 6]) run(() => done.push(task));
    for (let turn = 0; turn < 4; turn += 1) await setImmediate();
    expect(done).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
  });

  it('run a task at once when the turns before are over', async () => {
    const run = createRunInTurns(1);
    let count = 0;
    for (let turn = 0; turn < 3; turn += 1) {
      run(() => {
        count += 1;
      });
      expect(count).to.equal(turn + 1);
      await setImmediate();
      await setImmediate();
    }
  });
});
