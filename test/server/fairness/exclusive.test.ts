import { expect } from 'chai';
import { createRunExclusively } from '../../../server/fairness/exclusive.ts';

describe('runExclusively', () => {
  it('starts a task when the earlier ones with its name have ended, and tasks with other names at once', async () => {
    const runExclusively = createRunExclusively();
    const begun: string[] = [];
    const first = Promise.withResolvers<string>();
    const begin = (title: string, end: Promise<string>) => () => {
      begun.push(title);
      return end;
    };
    const runs = [
      runExclusively('a', begin('a1', first.promise)),
      runExclusively('a', begin('a2', Promise.resolve('second'))),
      runExclusively('b', begin('b1', Promise.resolve('other'))),
    ];
    expect(await runs[2]).to.equal('other');
    expect(begun).to.eql(['a1', 'b1']);
    first.resolve('first');
    expect(await Promise.all(runs)).to.eql(['first', 'second', 'other']);
    expect(begun).to.eql(['a1', 'b1', 'a2']);
  });

  it('continues after a task that failed, and rejects only that task', async () => {
    const runExclusively = createRunExclusively();
    const failure = new Error('first');
    const runs = await Promise.allSettled([
      runExclusively('a', () => Promise.reject(failure)),
      runExclusively('a', async () => 'second'),
    ]);
    expect(runs).to.eql([
      { status: 'rejected', reason: failure },
      { status: 'fulfilled', value: 'second' },
    ]);
  });
});
