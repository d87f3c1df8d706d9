// Batches that a reorg has reverted are submitted again in their order, and before any further batch.
import { expect } from 'chai';
import { COMPLETED, createBackground } from '../../../chain/writing/backgroundCompletion.ts';
import type { OutboxEntry } from '../../../chain/writing/outboxEntries.ts';

const [first, second] = [{ sequence: 1 } as OutboxEntry, { sequence: 2 } as OutboxEntry];

describe('batches that are completed in the background', () => {
  const openBackground = (commit: () => Promise<typeof COMPLETED> = async () => COMPLETED) => {
    const committed: number[] = [];
    const problems: string[] = [];
    const onProblem = (message: string): void => void problems.push(message);
    const background = createBackground({ onProblem, signal: new AbortController().signal }, (entries) => {
      committed.push(...entries.map(({ sequence }) => sequence));
      return commit();
    });
    return { committed, problems, ...background };
  };

  it('are submitted again in their order, whichever outcome is known first', async () => {
    const { committed, inBackground } = openBackground();
    const outcome = Promise.withResolvers<OutboxEntry[]>();
    const completed = [inBackground([first], () => outcome.promise), inBackground([second], async () => [second])];
    setImmediate(() => outcome.resolve([first]));
    await Promise.all(completed);
    expect(committed).to.deep.equal([1, 2]);
  });

  it('do not wait for an earlier batch that is complete', async () => {
    const { committed, inBackground } = openBackground();
    await Promise.all([inBackground([first], async () => []), inBackground([second], async () => [second])]);
    expect(committed).to.deep.equal([2]);
  });

  it('let further batches wait until they are submitted again', async () => {
    const submitted = Promise.withResolvers<typeof COMPLETED>();
    const { inBackground, awaitSubmittedAgain, committed } = openBackground(() => submitted.promise);
    const completed = inBackground([first], async () => [first]);
    const order: string[] = [];
    setImmediate(() => {
      order.push(`submitted ${committed.length}`);
      submitted.resolve(COMPLETED);
    });
    await Promise.resolve();
    await awaitSubmittedAgain();
    order.push('next');
    await completed;
    expect(order).to.deep.equal(['submitted 1', 'next']);
  });

  it('report what fails, and let further batches go on', async () => {
    const { problems, inBackground, awaitSubmittedAgain } = openBackground(() => Promise.reject(new Error('no chain')));
    await inBackground([first], async () => [first]);
    await awaitSubmittedAgain();
    expect(problems).to.deep.equal(['1 records stay in the outbox']);
  });
});
