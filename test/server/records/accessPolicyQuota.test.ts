// The cap on access policies: per tenant, exact, and never exceeded by concurrent requests.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { anAccessPolicy, createAnAccessPolicy } from '../support/requests.ts';
import { LIMITS, type RequestOptions } from '../support/testServer.ts';
import { useNewServer } from '../support/useServer.ts';
import { race, toStatuses } from './quotaRace.ts';

const CAP = LIMITS.accessPoliciesMax;

describe('the cap on access policies', () => {
  const server = useNewServer();

  const post = (options: RequestOptions = {}) =>
    server.request('POST', '/svc/iam/v1/access_policies', {
      as: server.tenant.administrator,
      json: anAccessPolicy(),
      ...options,
    });
  const raceTo = (creations: number) => race(creations, () => post(), 'ACCESS_POLICY_QUOTA_REACHED');

  it('accepts exactly as many of fifty concurrent creations, for each tenant', async () => {
    server.ledger.beforeAppend = async () => {
      for (let turn = 0; turn < 200; turn += 1) await setImmediate();
    };
    expect(await raceTo(50)).to.eql(toStatuses(CAP, 50 - CAP));
    expect((await post({ as: server.otherTenant.administrator })).status).to.equal(200);
  });

  it('allows a creation after a deletion', async () => {
    const { identity } = await createAnAccessPolicy(server);
    expect(await raceTo(CAP)).to.eql(toStatuses(CAP - 1, 1));
    await server.request('DELETE', `/svc/iam/v1/${identity}`, { as: server.tenant.administrator });
    expect(await raceTo(2)).to.eql(toStatuses(1, 1));
  });

  it('counts policies that wait for the chain', async () => {
    server.ledger.isChainAway = true;
    expect(await raceTo(CAP + 5)).to.eql(toStatuses(CAP, 5));
  });

  it('no longer counts a creation that failed, and none that was refused', async () => {
    server.ledger.beforeAppend = async () => {
      throw new LedgerError('OUTBOX_FULL');
    };
    for (let tried = 0; tried < 2 * CAP; tried += 1) {
      expectProblem(await post(), 503, 'OUTBOX_FULL');
      expectProblem(await post({ json: anAccessPolicy({ filters: [{ or: [] }] }) }), 400, 'ACCESS_POLICY_INVALID');
    }
    server.ledger.beforeAppend = async () => {};
    expect(await raceTo(CAP + 1)).to.eql(toStatuses(CAP, 1));
  });

  it('repeats the first answer for the same Idempotency-Key when it is reached', async () => {
    const headers = { 'Idempotency-Key': 'the-last' };
    for (let made = 1; made < CAP; made += 1) await createAnAccessPolicy(server);
    const first = await post({ headers });
    const again = await post({ headers });
    expect([again.status, again.body]).to.eql([200, first.body]);
    expectProblem(await post(), 402, 'ACCESS_POLICY_QUOTA_REACHED');
  });
});
