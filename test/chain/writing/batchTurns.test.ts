// When batches are submitted side by side, and when alone.
import { expect } from 'chai';
import { createBatchTurns } from '../../../chain/writing/batchTurns.ts';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('the turns of batches', () => {
  it('run submissions side by side, and what failed alone, the oldest first', async () => {
    const { together, alone } = createBatchTurns();
    const ended: string[] = [];
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const failing = [2, 1].map((order) => alone(order, async () => void ended.push(`alone ${order}`)));
    await Promise.all(failing);
    expect(ended).to.deep.equal(['alone 2', 'alone 1']);
    const submitting = [first, second].map(({ promise }, at) =>
      together(() => promise.then(() => void ended.push(`together ${at}`))),
    );
    const waiting = [4, 3].map((order) => alone(order, async () => void ended.push(`alone ${order}`)));
    second.resolve();
    await turns();
    expect(ended.at(-1)).to.equal('together 1');
    first.resolve();
    await Promise.all([...submitting, ...waiting]);
    expect(ended.slice(-3)).to.deep.equal(['together 0', 'alone 3', 'alone 4']);
  });

  it('begin no batch while one fails or waits to be alone', async () => {
    const { together, alone, awaitCalm, beginFailure } = createBatchTurns();
    let calm = 0;
    const ask = (): void => void awaitCalm().then(() => (calm += 1));
    ask();
    await turns();
    expect(calm).to.equal(1);
    const end = beginFailure();
    ask();
    await turns();
    expect(calm).to.equal(1);
    end();
    await turns();
    expect(calm).to.equal(2);
    const submitted = Promise.withResolvers<void>();
    const submitting = together(() => submitted.promise);
    const repairing = alone(1, async () => undefined);
    ask();
    await turns();
    expect(calm).to.equal(2);
    submitted.resolve();
    await Promise.all([submitting, repairing]);
    await turns();
    expect(calm).to.equal(3);
  });

  it('continue after a task that fails', async () => {
    const { together, alone, awaitCalm } = createBatchTurns();
    const fail = async (): Promise<void> => {
      throw new Error('fails');
    };
    const outcomes = await Promise.allSettled([together(fail), alone(1, fail), alone(2, async () => 'runs')]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'fulfilled']);
    await awaitCalm();
  });
});
