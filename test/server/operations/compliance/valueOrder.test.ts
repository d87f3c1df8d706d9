// The order of values in RICHNESS: policies that are created now name it, earlier ones are judged as before
// (decision 47).
import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { createAnAsset, createAPolicy } from '../../support/requests.ts';
import { useNewServer } from '../../support/useServer.ts';

const richness = (...or: string[]) => ({ compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or }] });

describe('the order of values', () => {
  const server = useNewServer();
  const tryOn = async (attributes: object, ...or: string[]) => {
    const uuid = await createAnAsset(server, { attributes });
    const { body } = await server.request('POST', `/svc/v1/compliance/assets/${uuid}:try`, { json: richness(...or) });
    return body;
  };

  it('is that of versions, dates and numbers', async () => {
    for (const [value, assertion, compliant] of [
      ['1.9.0', 'x>=1.10.0', false],
      ['1.10.0', 'x>=1.10.0', true],
      ['2026-02-01', 'x>2026-11-27', false],
      ['2026-11-28', 'x>2026-11-27', true],
      ['10', 'x>9', true],
    ] as const)
      expect((await tryOn({ x: value }, assertion)).compliant, `${value} ${assertion}`).to.equal(compliant);
  });

  it('is none with a value of another kind, and the reason says so', async () => {
    const { compliant, reason } = await tryOn({ x: '2026-2-1', y: 'hot', z: '9' }, 'x>2026-11-27', 'y<8', 'z<8');
    expect([compliant, reason]).to.eql([
      false,
      'No assertion holds: x>2026-11-27 or y<8 or z<8 (x is 2026-2-1, not a date; y is hot, not a decimal number)',
    ]);
  });

  it('is named by a policy that orders more than numbers', async () => {
    const policy = await createAPolicy(server, richness('fw>=1.10.0'));
    expect(policy).to.include({ value_order: 'typed' });
    expect(server.ledger.records.at(-1)).to.include({ value_order: 'typed' });
    expect((await server.request('GET', `/svc/v1/${policy.identity}`)).body).to.eql(policy);
    expect(await createAPolicy(server, richness('t<7', 'grade=B'))).not.to.have.property('value_order');
  });

  it('is none with a bound without order, which is refused', async () => {
    const as = server.tenant.administrator;
    for (const wrong of ['grade>=B', 'at<2026-2-1', 'weight<9 kg']) {
      const json = richness('t<7', wrong);
      const answer = await server.request('POST', '/svc/v1/compliance_policies', { as, json });
      expectProblem(answer, 400, 'POLICY_INVALID', 'richness_assertions/0/or/1');
    }
  });

  it('of an earlier policy stays that of its texts', async () => {
    const { identity } = await createAPolicy(server, richness('fw>=1.10.0'));
    const { value_order: _, ...record } = server.ledger.records.at(-1)! as unknown as Record<string, unknown>;
    const uuid = '00000000-0000-4000-8000-000000000001';
    await server.ledger.mine({
      tenantIdentity: server.tenant.identity,
      record: { ...record, identity: `compliance_policies/${uuid}/versions/${uuid}` } as never,
    });
    const asset = await createAnAsset(server, { attributes: { fw: '1.9.0' } });
    const { compliance } = (await server.request('GET', `/svc/v1/compliance/assets/${asset}`)).body;
    const verdicts = Object.fromEntries(
      compliance.map((one: { compliance_policy_identity: string; compliant: boolean }) => [
        one.compliance_policy_identity,
        one.compliant,
      ]),
    );
    expect(verdicts).to.eql({ [identity]: false, [`compliance_policies/${uuid}`]: true });
  });
});
