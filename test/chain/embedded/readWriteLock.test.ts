import { expect } from 'chai';
import { createReadWriteLock, type LockPriority } from '../../../chain/embedded/readWriteLock.ts';
import { createTask } from '../../support/tasks.ts';

describe('createReadWriteLock', () => {
  const setUp = () => {
    const lock = createReadWriteLock();
    const begun: string[] = [];
    const begin = (kind: 'shared' | 'exclusive', name: string, priority?: LockPriority) => {
      const task = createTask();
      const done = lock[kind](() => {
        begun.push(name);
        return task.run();
      }, priority);
      return async () => {
        task.end();
        await done;
      };
    };
    return { begun, begin };
  };

  it('runs shared tasks together and an exclusive one alone, in order of arrival', async () => {
    const { begun, begin } = setUp();
    const endA = begin('shared', 'a');
    const endB = begin('shared', 'b');
    const endC = begin('exclusive', 'c');
    const endD = begin('shared', 'd');
    const endE = begin('exclusive', 'e');
    await endA();
    expect(begun.join('')).to.equal('ab');
    await endB();
    expect(begun.join('')).to.equal('abc');
    await endC();
    expect(begun.join('')).to.equal('abcd');
    await endD();
    await endE();
    expect(begun.join('')).to.equal('abcde');
  });

  it('starts waiting tasks of the ledger before those of third parties', async () => {
    const { begun, begin } = setUp();
    const ends = [
      begin('shared', 'a', 'thirdParty'),
      begin('exclusive', 'b', 'thirdParty'),
      begin('shared', 'c', 'thirdParty'),
      begin('exclusive', 'd', 'ledger'),
      begin('shared', 'e', 'ledger'),
    ];
    for (const index of [0, 3, 4, 1, 2]) await ends[index]!();
    expect(begun.join('')).to.equal('adebc');
  });

  it('is released after a task that fails', async () => {
    const lock = createReadWriteLock();
    const failure = await lock
      .exclusive(async () => {
        throw new Error('first');
      })
      .catch((error: Error) => error.message);
    expect([failure, await lock.shared(async () => 'second')]).to.deep.equal(['first', 'second']);
  });
});
