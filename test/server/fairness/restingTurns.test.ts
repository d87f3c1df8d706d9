import { expect } from 'chai';
import { createTurns as createAnyTurns } from '../../../server/fairness/turns.ts';

describe('turns with a rest after each', () => {
  let nowMs: number;
  let steps: string[];
  let end: (() => void) | undefined;
  const createTurns = () =>
    createAnyTurns({
      nowMs: () => nowMs,
      rest: (taskMs) => {
        steps.push(`pause ${taskMs * 2}`);
        return new Promise<void>((resolve) => {
          end = resolve;
        });
      },
    });
  const endPause = async (): Promise<void> => {
    end?.();
    await new Promise(setImmediate);
  };
  const takes = (name: string, ms: number, error?: Error) => async () => {
    steps.push(name);
    nowMs += ms;
    if (error !== undefined) throw error;
    return name;
  };
  beforeEach(() => {
    nowMs = 1_000;
    steps = [];
  });

  it('follow each other in their order, after a pause in proportion to the time of the one before', async () => {
    const runInTurn = createTurns();
    const results = [
      runInTurn('a', takes('first', 5)),
      runInTurn('a', takes('second', 7)),
      runInTurn('a', takes('third', 1)),
    ];
    expect(await results[0]).to.equal('first');
    await endPause();
    expect(steps).to.eql(['first', 'pause 10', 'second', 'pause 14']);
    await endPause();
    expect(await Promise.all(results)).to.eql(['first', 'second', 'third']);
  });

  it('go on after one that failed', async () => {
    const runInTurn = createTurns();
    const failure = new Error('the page is not readable');
    const failed = runInTurn('a', takes('first', 3, failure)).catch((error: unknown) => error);
    const next = runInTurn('a', takes('second', 1));
    expect(await failed).to.equal(failure);
    await endPause();
    expect(await next).to.equal('second');
    expect(steps.slice(0, 3)).to.eql(['first', 'pause 6', 'second']);
  });

  it('alternate between parties by the time that their tasks took', async () => {
    const runInTurn = createTurns();
    const tasks: [string, string, number][] = [
      ['a', 'a1', 4],
      ['a', 'a2', 4],
      ['b', 'b1', 2],
      ['b', 'b2', 3],
    ];
    const results = tasks.map(([party, name, ms]) => runInTurn(party, takes(name, ms)));
    for (let turn = 0; turn < 4; turn += 1) await endPause();
    await Promise.all(results);
    expect(steps.filter((step) => !step.startsWith('pause'))).to.eql(['a1', 'b1', 'b2', 'a2']);
  });
});
