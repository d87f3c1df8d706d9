// The cap on compliance policies: per tenant, exact, and never exceeded by concurrent requests.
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { toPolicyIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import type { PolicyRecord } from '../../../ledger/records/policy.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { aPolicy, createAnAsset, createAPolicy } from '../support/requests.ts';
import { LIMITS, type RequestOptions, startTestServer, type TestServer } from '../support/testServer.ts';
import { useNewServer } from '../support/useServer.ts';
import { race, toStatuses } from './quotaRace.ts';

const CAP = LIMITS.policiesMax;

describe('the cap on policies', () => {
  const server = useNewServer();

  const post = (options: RequestOptions = {}) =>
    server.request('POST', '/svc/v1/compliance_policies', {
      as: server.tenant.administrator,
      json: aPolicy(),
      ...options,
    });
  const readLeft = async (options: RequestOptions = {}): Promise<string> => {
    const { status, body } = await server.request('GET', '/svc/v1/compliance_policies:caps', options);
    expect([status, body]).to.eql([
      200,
      { caps: [{ resource_type: 'CompliancePolicies', resource_remaining: body.caps[0].resource_remaining }] },
    ]);
    return body.caps[0].resource_remaining;
  };
  const count = async (options: RequestOptions = {}): Promise<number> => {
    const { body } = await server.request('GET', '/svc/v1/compliance_policies?page_size=1000', options);
    return body.compliance_policies.length;
  };
  const raceTo = (creations: number) => race(creations, () => post(), 'POLICY_QUOTA_REACHED');

  it('accepts as many as configured, and returns how many are left', async () => {
    for (let left = CAP; left > 0; left -= 1) {
      expect(await readLeft()).to.equal(String(left));
      await createAPolicy(server);
    }
    expect(await readLeft()).to.equal('0');
    expectProblem(await post(), 402, 'POLICY_QUOTA_REACHED');
    expect(await count()).to.equal(CAP);
  });

  it('is separate for each tenant', async () => {
    for (let made = 0; made < CAP; made += 1) await createAPolicy(server);
    const as = server.otherTenant.administrator;
    expect(await readLeft({ as })).to.equal(String(CAP));
    expect((await post({ as })).status).to.equal(200);
    expect(await readLeft({ as: server.otherTenant.reader })).to.equal(String(CAP - 1));
    expect(await readLeft({ as: server.tenant.reader })).to.equal('0');
  });

  it('allows a creation after a deletion', async () => {
    const { identity } = await createAPolicy(server);
    for (let made = 1; made < CAP; made += 1) await createAPolicy(server);
    await server.request('DELETE', `/svc/v1/${identity}`, { as: server.tenant.administrator });
    expect(await readLeft()).to.equal('1');
    expect((await post()).status).to.equal(200);
    expect((await post()).status).to.equal(402);
  });

  it('accepts exactly as many of fifty concurrent creations', async () => {
    expect(await raceTo(50)).to.eql(toStatuses(CAP, 50 - CAP));
    expect(await count()).to.equal(CAP);
    expect(await readLeft()).to.equal('0');
  });

  it('accepts exactly as many when each waits long before it is appended', async () => {
    server.ledger.beforeAppend = async () => {
      for (let turn = 0; turn < 200; turn += 1) await setImmediate();
    };
    expect(await raceTo(50)).to.eql(toStatuses(CAP, 50 - CAP));
    expect(await count()).to.equal(CAP);
  });

  it('counts policies that wait for the chain', async () => {
    server.ledger.isChainAway = true;
    for (let made = 0; made < CAP - 3; made += 1) await createAPolicy(server);
    expect(await raceTo(50)).to.eql(toStatuses(3, 47));
    expect(await readLeft()).to.equal('0');
  });

  it('never makes a creation wait for the end of another', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let begun = 0;
    server.ledger.beforeAppend = () => {
      begun += 1;
      if (begun === CAP) resolve();
      return promise;
    };
    expect(await raceTo(CAP)).to.eql(toStatuses(CAP, 0));
  });

  it('counts a policy once that is shown while its creation still waits', async () => {
    const { begin } = server.deps.writer;
    const { promise, resolve } = Promise.withResolvers<void>();
    let seen = 0;
    const beginAndWait: typeof begin = async (...requested) => {
      const commitment = await begin(...requested);
      seen += 1;
      if (seen === CAP) resolve();
      await promise;
      return commitment;
    };
    Object.assign(server.deps.writer, { begin: beginAndWait });
    expect(await raceTo(CAP)).to.eql(toStatuses(CAP, 0));
  });

  it('no longer counts a creation that failed', async () => {
    server.ledger.beforeAppend = async () => {
      throw new LedgerError('OUTBOX_FULL');
    };
    for (let tried = 0; tried < 2 * CAP; tried += 1) expectProblem(await post(), 503, 'OUTBOX_FULL');
    server.ledger.beforeAppend = async () => {};
    expect(await raceTo(CAP + 1)).to.eql(toStatuses(CAP, 1));
  });

  it('repeats the first answer for the same Idempotency-Key when it is reached', async () => {
    const headers = { 'Idempotency-Key': 'the-last' };
    for (let made = 1; made < CAP; made += 1) await createAPolicy(server);
    const first = await post({ headers });
    const again = await post({ headers });
    expect([again.status, again.body]).to.eql([200, first.body]);
    expectProblem(await post(), 402, 'POLICY_QUOTA_REACHED');
  });

  it('refuses everything at zero', async () => {
    const closed = await startTestServer({ limits: { ...LIMITS, policiesMax: 0 } });
    const answer = await closed.request('POST', '/svc/v1/compliance_policies', {
      as: closed.tenant.administrator,
      json: aPolicy(),
    });
    expectProblem(answer, 402, 'POLICY_QUOTA_REACHED');
    await closed.close();
  });

  describe('on their weight', () => {
    // 600 for the texts, 16 for each of two assertions; the rest is the display name and the like.
    const heavy = {
      compliance_type: 'COMPLIANCE_RICHNESS',
      richness_assertions: [{ or: ['a='.padEnd(300, 'b'), 'a='.padEnd(300, 'c')] }],
    };
    const WEIGHT = 632;
    let light: TestServer;
    beforeEach(async () => {
      light = await startTestServer({ limits: { ...LIMITS, policyWeightMax: 3 * WEIGHT + 20 } });
    });
    afterEach(() => light.close());
    const postHeavy = (given: object = heavy, headers = {}) =>
      light.request('POST', '/svc/v1/compliance_policies', { as: light.tenant.administrator, json: given, headers });

    it('accepts policies that fit, names the heaviest field of one that does not, and accepts more after a deletion', async () => {
      const { body } = await postHeavy();
      for (let made = 1; made < 3; made += 1) expect((await postHeavy()).status).to.equal(200);
      expectProblem(await postHeavy(), 402, 'POLICY_WEIGHT_REACHED', 'richness_assertions');
      const long = aPolicy({ description: 'x'.repeat(100) });
      expectProblem(await postHeavy(long), 402, 'POLICY_WEIGHT_REACHED', 'description');
      expect((await postHeavy(aPolicy({ display_name: '' }))).status).to.equal(200);
      await light.request('DELETE', `/svc/v1/${body.identity}`, { as: light.tenant.administrator });
      expect((await postHeavy()).status).to.equal(200);
    });

    for (const isChainAway of [false, true]) {
      it(`is not passed by creations that race${isChainAway ? ' while the chain is away' : ''}`, async () => {
        light.ledger.isChainAway = isChainAway;
        const statuses = await race(9, () => postHeavy(), 'POLICY_WEIGHT_REACHED', 'richness_assertions');
        expect(statuses).to.eql(toStatuses(3, 6));
      });
    }

    it('still evaluates existing policies, whatever they weigh', async () => {
      const asset = await createAnAsset(light, { attributes: { a: 'b' } });
      for (let made = 0; made < 3; made += 1) await createAPolicy(light, heavy);
      const record = light.ledger.records.at(-1) as PolicyRecord;
      for (let made = 0; made < 2; made += 1) {
        const identity = toVersionIdentity(toPolicyIdentity(randomUUID()), randomUUID());
        await light.ledger.mine({ tenantIdentity: light.tenant.identity, record: { ...record, identity } });
      }
      const { body } = await light.request('GET', `/svc/v1/compliance/assets/${asset}`);
      expect([body.compliant, body.compliance.length]).to.eql([false, 5]);
      expectProblem(await postHeavy(), 402, 'POLICY_WEIGHT_REACHED', 'richness_assertions');
    });
  });
});
