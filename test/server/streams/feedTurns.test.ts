import { expect } from 'chai';
import { createFeedTurns } from '../../../server/streams/feedTurns.ts';

describe('turns of streams', () => {
  let nowMs: number;
  let steps: string[];
  let end: (() => void) | undefined;
  const createTurns = () =>
    createFeedTurns({
      nowMs: () => nowMs,
      pause: (ms) => {
        steps.push(`pause ${ms}`);
        return new Promise<void>((resolve) => {
          end = resolve;
        });
      },
      pauses: 2,
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
    const results = [runInTurn(takes('first', 5)), runInTurn(takes('second', 7)), runInTurn(takes('third', 1))];
    expect(await results[0]).to.equal('first');
    await endPause();
    expect(steps).to.eql(['first', 'pause 10', 'second', 'pause 14']);
    await endPause();
    expect(await Promise.all(results)).to.eql(['first', 'second', 'third']);
  });

  it('go on after one that failed', async () => {
    const runInTurn = createTurns();
    const failure = new Error('the page is not readable');
    const failed = runInTurn(takes('first', 3, failure)).catch((error: unknown) => error);
    const next = runInTurn(takes('second', 1));
    expect(await failed).to.equal(failure);
    await endPause();
    expect(await next).to.equal('second');
    expect(steps.slice(0, 3)).to.eql(['first', 'pause 6', 'second']);
  });
});
