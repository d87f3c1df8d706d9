import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createRunInTurns } from '../../../server/fairness/requestTurns.ts';

const ofA = () => ({ party: 'a', cost: 1 });

describe('the turns of requests', () => {
  it('have so many tasks at most, in their order', async () => {
    const run = createRunInTurns(3);
    const done: number[] = [];
    const counts: number[] = [];
    for (let task = 0; task < 8; task += 1) run(ofA, () => done.push(task));
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
    for (const task of [0, 1, 2]) run(ofA, () => done.push(task));
    await setImmediate();
    for (const task of [3, 4, 5, 6]) run(ofA, () => done.push(task));
    for (let turn = 0; turn < 4; turn += 1) await setImmediate();
    expect(done).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
  });

  it('run a task at once when the turns before are over', async () => {
    const run = createRunInTurns(1);
    let count = 0;
    for (let turn = 0; turn < 3; turn += 1) {
      run(ofA, () => {
        count += 1;
      });
      expect(count).to.equal(turn + 1);
      await setImmediate();
      await setImmediate();
    }
  });

  it('alternate between parties by the cost of their tasks', async () => {
    const run = createRunInTurns(1);
    const done: string[] = [];
    const add = (name: string, cost: number): void =>
      run(
        () => ({ party: name[0]!, cost }),
        () => done.push(name),
      );
    add('now', 1);
    for (const name of ['a1', 'a2', 'a3']) add(name, 2);
    for (const name of ['b1', 'b2', 'b3']) add(name, 1);
    for (let turn = 0; turn < 8; turn += 1) await setImmediate();
    expect(done).to.deep.equal(['now', 'a1', 'b1', 'b2', 'a2', 'b3', 'a3']);
  });
});
