// Requests that a node refuses as too many are asked again, after one pause for all of a burst.
import { expect } from 'chai';
import { createRatePauses, RateLimited } from '../../../chain/jsonRpc/ratePauses.ts';
import { failureOf } from '../../support/refusals.ts';

const DAY_MS = 86_400_000;

describe('a node that refuses too many requests', () => {
  const create = (waitMsMax: number) => {
    const pauses: number[] = [];
    const run = createRatePauses({ waitMsMax, onWait: (_refusal, pauseMs) => pauses.push(pauseMs) }, undefined);
    return { pauses, run };
  };

  it('is asked again by all requests of a burst after one short pause', async () => {
    const { pauses, run } = create(90_000);
    let asked = 0;
    const ask = async (): Promise<number> => {
      asked += 1;
      if (asked > 5 && asked <= 20) throw new RateLimited('slow down', undefined);
      return asked;
    };
    const answers = await Promise.all(Array.from({ length: 20 }, () => run(ask)));
    expect(answers).to.have.length(20);
    expect([asked, pauses]).to.deep.equal([35, [1_000]]);
  });

  it('is not waited for when it names a longer time, and not left alone for that time', async () => {
    const { pauses, run } = create(90_000);
    const error = await failureOf(run(() => Promise.reject(new RateLimited('tomorrow', DAY_MS))));
    expect(error).to.be.instanceOf(RateLimited);
    expect(pauses).to.deep.equal([60_000]);
  });
});
