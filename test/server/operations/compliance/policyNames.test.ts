// Names of attributes and claims with signs in policies and access policies (decision 40).
import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { anAccessPolicy, aPolicy, createAnAccessPolicy, createAnAsset, createAPolicy } from '../../support/requests.ts';
import { useNewServer } from '../../support/useServer.ts';

const SITE = String.raw`attributes.ex\:site=A`;

describe('names with signs', () => {
  const server = useNewServer();
  const send = (method: string, path: string, json: unknown) =>
    server.request(method, `/svc/${path}`, { as: server.tenant.administrator, json });
  const policyOf = (condition: string) => aPolicy({ asset_filter: [{ or: [condition] }] });

  it('are refused in a policy where they have two readings, with both', async () => {
    for (const path of ['v1/compliance_policies', `v1/compliance/assets/${await createAnAsset(server)}:try`]) {
      const answer = await send('POST', path, policyOf('attributes.ex:site=A'));
      expectProblem(answer, 400, 'POLICY_INVALID', 'asset_filter/0/or/0');
      expect(answer.body.message).to.include(SITE).and.include(String.raw`attributes.ex:site\=A`);
    }
  });

  it('select the assets that have them', async () => {
    const named = await createAnAsset(server, { attributes: { 'ex:site': 'A' } });
    const valued = await createAnAsset(server, { attributes: { ex: 'site=A' } });
    const check = async (uuid: string) =>
      (await server.request('GET', `/svc/v1/compliance/assets/${uuid}`)).body.compliance.length;
    const policy = await createAPolicy(server, policyOf(SITE));
    expect([await check(named), await check(valued)]).to.eql([1, 0]);
    await createAPolicy(server, policyOf(String.raw`ex:site\=A`));
    expect([await check(named), await check(valued)]).to.eql([1, 1]);
    expect(policy).to.include({ condition_syntax: 'escaped' });
    const record = server.ledger.records.find(({ identity }) => identity.startsWith(policy.identity));
    expect(record).to.include({ condition_syntax: 'escaped' });
    const copy = await send('POST', 'v1/compliance_policies', policy);
    expect([copy.status, copy.body]).to.eql([200, { ...policy, identity: copy.body.identity }]);
    const deleted = await send('DELETE', `v1/${policy.identity}`, undefined);
    expect([deleted.status, deleted.body]).to.eql([200, policy]);
  });

  it('leave the record of a policy that needs no escapes as it was', async () => {
    const policy = await createAPolicy(server, policyOf('attributes.site:A'));
    expect(policy).not.to.have.property('condition_syntax');
    expect(server.ledger.records.at(-1)).not.to.have.property('condition_syntax');
  });

  it('are assertions on the attributes that have them', async () => {
    const uuid = await createAnAsset(server, { attributes: { 'ex:temp': '7', 'a=b': '7' } });
    for (const [assertion, compliant] of [
      ['ex:temp<8', true],
      [String.raw`ex\:temp<7`, false],
      [String.raw`a\=b<8`, true],
      [String.raw`a\=b<7`, false],
    ] as const) {
      const json = { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: [assertion] }] };
      const { body } = await send('POST', `v1/compliance/assets/${uuid}:try`, json);
      expect(body.compliant, assertion).to.equal(compliant);
    }
  });

  it('in access policies follow the same rule', async () => {
    const claims = (claim: string) =>
      anAccessPolicy({ access_permissions: [{ user_attributes: [{ or: [claim] }], asset_attributes_read: ['*'] }] });
    const filters = (condition: string) => anAccessPolicy({ filters: [{ or: [condition] }] });
    const refused = await send('POST', 'iam/v1/access_policies', filters('ex:site=A'));
    expectProblem(refused, 400, 'ACCESS_POLICY_INVALID', 'filters/0/or/0');
    const claim = await send('POST', 'iam/v1/access_policies', claims('ex:group=a'));
    expectProblem(claim, 400, 'ACCESS_POLICY_INVALID', 'access_permissions/0/user_attributes/0/or/0');
    for (const json of [filters(SITE), claims('group:maintainers'), claims(String.raw`ex\:group=a`)])
      expect(await createAnAccessPolicy(server, json)).to.include({ condition_syntax: 'escaped' });
    expect(await createAnAccessPolicy(server, claims('group=a'))).not.to.have.property('condition_syntax');
    const contradicting = anAccessPolicy({ filters: [{ or: ['a=b'] }, { or: ['a=c'] }] });
    expectProblem(await send('POST', 'iam/v1/access_policies', contradicting), 400, 'ACCESS_POLICY_INVALID', 'filters');
  });

  it('of an earlier access policy keep their meaning in its next version', async () => {
    const { identity } = await createAnAccessPolicy(server);
    const { condition_syntax: _, ...record } = server.ledger.records.at(-1)! as unknown as Record<string, unknown>;
    const [permission] = record.access_permissions as object[];
    await server.ledger.mine({
      tenantIdentity: server.tenant.identity,
      record: {
        ...record,
        identity: `${identity}/versions/00000000-0000-4000-8000-000000000001`,
        follows: record.identity,
        access_permissions: [{ ...permission, user_attributes: [{ or: ['ex:group=a', 'b=c'] }] }],
      } as never,
    });
    const read = await send('GET', `iam/v1/${identity}`, undefined);
    const renamed = await send('PATCH', `iam/v1/${identity}`, { ...read.body, display_name: 'renamed' });
    expect(renamed.body).to.deep.include({ display_name: 'renamed', condition_syntax: 'escaped' });
    const [{ user_attributes }] = renamed.body.access_permissions;
    expect(user_attributes).to.eql([{ or: [String.raw`ex\:group=a`, 'b=c'] }]);
  });

  it('of an earlier access policy keep their meaning when others are added to their lists', async () => {
    const { identity } = await createAnAccessPolicy(server);
    const { condition_syntax: _, ...record } = server.ledger.records.at(-1)! as unknown as Record<string, unknown>;
    const [permission] = record.access_permissions as object[];
    const [path, claim] = [String.raw`path\=C`, String.raw`dir\:x=y`];
    await server.ledger.mine({
      tenantIdentity: server.tenant.identity,
      record: {
        ...record,
        identity: `${identity}/versions/00000000-0000-4000-8000-000000000001`,
        follows: record.identity,
        filters: [{ or: [path] }],
        access_permissions: [{ ...permission, user_attributes: [{ or: [claim] }] }],
      } as never,
    });
    const { body: read } = await send('GET', `iam/v1/${identity}`, undefined);
    expect(read.filters).to.eql([{ or: [path] }]);
    const [shown] = read.access_permissions;
    const changed = await send('PATCH', `iam/v1/${identity}`, {
      filters: [{ or: [path, String.raw`new\:name=1`] }],
      access_permissions: [{ ...shown, user_attributes: [{ or: [claim, String.raw`new\:claim=1`] }] }],
    });
    // The earlier syntax has no escapes: the backslash is the end of the name.
    const asset = await createAnAsset(server, { attributes: { 'path\\': 'C' } });
    const other = await createAnAsset(server, { attributes: { 'path=C': '' } });
    expect(changed.body).to.include({ condition_syntax: 'escaped' });
    const matched = (await send('GET', `iam/v1/${identity}/assets`, undefined)).body.assets;
    expect(matched.map((one: { identity: string }) => one.identity))
      .to.eql([`assets/${asset}`])
      .and.not.include(other);
    const [{ user_attributes }] = changed.body.access_permissions;
    expect(user_attributes[0].or).to.have.length(2);
    expect(user_attributes[0].or[1]).to.equal(String.raw`new\:claim=1`);
    expect(user_attributes[0].or[0]).not.to.equal(claim);
  });
});
