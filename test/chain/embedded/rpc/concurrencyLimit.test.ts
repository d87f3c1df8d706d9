import { expect } from 'chai';
import { createConcurrencyLimit } from '../../../../chain/embedded/rpc/concurrencyLimit.ts';
import { createTask } from '../../../support/tasks.ts';

describe('createConcurrencyLimit', () => {
  it('runs tasks up to its limit, queues up to its limit, and refuses the rest', async () => {
    const limit = createConcurrencyLimit({ concurrent: 2, waitingMax: 1, refuse: () => new Error('full') });
    const tasks = Array.from({ length: 4 }, createTask);
    const begun: number[] = [];
    const results = tasks.map((task, index) =>
      limit(() => {
        begun.push(index);
        return task.run();
      }).catch((error: Error) => error.message),
    );
    expect(await results[3]).to.equal('full');
    expect(begun).to.deep.equal([0, 1]);
    tasks[1]?.end();
    await results[1];
    for (const task of tasks) task.end();
    await Promise.all(results);
    expect(begun).to.deep.equal([0, 1, 2]);
  });
});
