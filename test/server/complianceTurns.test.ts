// A check by the costliest policies that the limits allow lets other requests in between, counted by a clock that each look at it moves.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createRunInTurns, TURN_MS } from '../../server/turns.ts';
import { createAnAsset, createAPolicy } from './support/requests.ts';
import { LIMITS, startTestServer } from './support/testServer.ts';

describe('a check by the costliest policies', () => {
  it('lets others have the event loop after each turn', async () => {
    const seen = { nowMs: 0, sincePause: 0, longest: 0, pauses: 0 };
    const runInTurns = createRunInTurns({
      nowMs: () => {
        seen.nowMs += 1;
        seen.sincePause += 1;
        seen.longest = Math.max(seen.longest, seen.sincePause);
        return seen.nowMs;
      },
      pause: async () => {
        await setImmediate();
        seen.pauses += 1;
        seen.sincePause = 0;
      },
      turnMs: TURN_MS,
    });
    const server = await startTestServer({ runInTurns, limits: { ...LIMITS, policyWeightMax: 500_000 } });
    const asset = await createAnAsset(server, { attributes: { a: 'b' } });
    const lists = Array.from({ length: 10 }, () => ({ or: [...Array(99).fill('none<1'), 'a=b'] }));
    for (let made = 0; made < LIMITS.policiesMax; made += 1) {
      await createAPolicy(server, {
        compliance_type: 'COMPLIANCE_RICHNESS',
        richness_assertions: lists,
        asset_filter: lists.map(() => ({ or: ['a=b'] })),
      });
    }
    const { body } = await server.request('GET', `/svc/v1/compliance/assets/${asset}`);
    expect(body.compliant).to.equal(true);
    // Policies have a step for each of their lists at least.
    expect(seen.pauses).to.be.at.least((LIMITS.policiesMax * lists.length) / TURN_MS);
    expect(seen.longest).to.be.at.most(2 * TURN_MS);
    await server.close();
  });
});
