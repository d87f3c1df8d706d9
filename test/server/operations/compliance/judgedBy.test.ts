// Policies that judge by declared times (decision 41).
import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { aPolicy, createAnAsset, createAPolicy } from '../../support/requests.ts';
import { useNewServer } from '../../support/useServer.ts';

const YEARS_AGO = '2019-02-01T00:00:00.000Z';

describe('a policy that judges by declared times', () => {
  const server = useNewServer();
  const since = (judged_by?: string | null) =>
    aPolicy({ event_display_type: 'Service', time_period_seconds: '2592000', judged_by });
  const record = (uuid: string, timestamp_declared?: string) =>
    server.request('POST', `/svc/v2/assets/${uuid}/events`, {
      json: {
        behaviour: 'RecordEvidence',
        operation: 'Record',
        event_attributes: { arc_display_type: 'Service' },
        timestamp_declared,
      },
    });
  const attempt = (uuid: string, json: unknown) =>
    server.request('POST', `/svc/v1/compliance/assets/${uuid}:try`, { as: server.tenant.administrator, json });

  it('fails where an event that was recorded today declares that it happened years ago', async () => {
    const uuid = await createAnAsset(server);
    await record(uuid, YEARS_AGO);
    for (const [judgedBy, compliant] of [
      [undefined, true],
      [null, true],
      ['accepted', true],
      ['declared', false],
    ] as const) {
      const { body } = await attempt(uuid, since(judgedBy));
      expect([body.compliant, body.evidence.events[0].timestamp_declared], String(judgedBy)).to.eql([
        compliant,
        YEARS_AGO,
      ]);
    }
    await record(uuid);
    const { body } = await attempt(uuid, since('declared'));
    expect(body.compliant).to.equal(true);
    expect(body.evidence.events[0]).not.to.have.property('timestamp_declared');
  });

  it('is shown and recorded as such, and one that judges by acceptance as before', async () => {
    const declared = await createAPolicy(server, since('declared'));
    expect([declared.judged_by, server.ledger.records.at(-1)]).to.deep.include('declared');
    expect(server.ledger.records.at(-1)).to.include({ judged_by: 'declared' });
    const { body } = await server.request('GET', `/svc/v1/${declared.identity}`);
    expect(body).to.eql(declared);
    for (const judgedBy of [undefined, null, 'accepted']) {
      expect(await createAPolicy(server, since(judgedBy))).not.to.have.property('judged_by');
      expect(server.ledger.records.at(-1)).not.to.have.property('judged_by');
    }
  });

  it('decides checks of stored policies, in pages and at past times', async () => {
    const uuid = await createAnAsset(server);
    const policy = await createAPolicy(server, since('declared'));
    await record(uuid, YEARS_AGO);
    const { body } = await server.request('GET', `/svc/v1/compliance/assets/${uuid}`);
    const statement = body.compliance.find(
      ({ compliance_policy_identity: identity }: { compliance_policy_identity: string }) =>
        identity === policy.identity,
    );
    expect(statement.compliant).to.equal(false);
    expect(statement.evidence.events[0].timestamp_declared).to.equal(YEARS_AGO);
  });

  it('is refused for attributes, and for another time', async () => {
    const uuid = await createAnAsset(server);
    const richness = { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['a=1'] }] };
    const json = { display_name: 'x', ...richness, judged_by: 'declared' };
    expectProblem(await attempt(uuid, json), 400, 'POLICY_INVALID', 'judged_by');
    expect((await attempt(uuid, { ...json, judged_by: 'accepted' })).status).to.equal(200);
    expectProblem(await attempt(uuid, since('committed')), 400, 'REQUEST_INVALID', 'judged_by');
  });
});
