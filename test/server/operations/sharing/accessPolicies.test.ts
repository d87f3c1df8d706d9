// Reading, listing, changing and deleting access policies.
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { AccessPolicyRecord } from '../../../../ledger/records/accessPolicy.ts';
import { aSubjectRecord, subjectOf } from '../../../support/records.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { itFinds, NAME_CASES, NAMED, toNames } from '../../support/filterCases.ts';
import { anAccessPolicy, createAnAccessPolicy } from '../../support/requests.ts';
import { LIMITS, type RequestOptions } from '../../support/testServer.ts';
import { useNewServer, useServer } from '../../support/useServer.ts';

const PATH = '/svc/iam/v1/access_policies';
const NO_POLICY = 'access_policies/3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const FILTERS = [{ or: ['attributes.a=b'] }];

describe('iam/v1/access_policies/{uuid}', () => {
  const server = useNewServer();
  let identity: string;
  let before: Record<string, unknown>;
  beforeEach(async () => {
    before = await createAnAccessPolicy(server, anAccessPolicy({ description: 'first' }));
    identity = before.identity as string;
  });
  const send = (method: string, path: string, options: RequestOptions = {}) =>
    server.request(method, `/svc/iam/v1/${path}`, { as: server.tenant.administrator, ...options });
  const patch = (json: unknown, options: RequestOptions = {}) => send('PATCH', identity, { json, ...options });
  const remove = () => send('DELETE', identity);
  const read = async () => (await send('GET', identity, { as: server.tenant.auditor })).body;
  const patchMasked = (mask: string, json: object) => send('PATCH', `${identity}?mask=${mask}`, { json });

  it('shows a policy to auditors of its own tenant', async () => {
    expect(await read()).to.eql(before);
    expect((await send('GET', identity.toUpperCase().replace('ACCESS_POLICIES', 'access_policies'))).body).to.eql(
      before,
    );
    for (const as of [server.tenant.reader, server.tenant.writer, server.tenant.roleless])
      expectProblem(await send('GET', identity, { as }), 403, 'FORBIDDEN', 'authorization');
  });

  it("answers 404 alike for a missing policy and for another tenant's", async () => {
    for (const [method, options] of [
      ['GET', {}],
      ['PATCH', { json: { description: 'mine' } }],
      ['DELETE', {}],
    ] as const) {
      const missing = await send(method, NO_POLICY, options);
      const foreign = await send(method, identity, { as: server.otherTenant.root, ...options });
      expectProblem(missing, 404, 'ACCESS_POLICY_NOT_FOUND');
      expect([foreign.status, foreign.body]).to.eql([404, missing.body]);
      expectProblem(await send(method, 'access_policies/x', options), 400, 'IDENTITY_INVALID', 'uuid');
    }
    expect(await read()).to.eql(before);
  });

  it('replaces the members that a change names, and leaves the others', async () => {
    const { status, body } = await patch({ filters: FILTERS, description: null });
    expect([status, body]).to.eql([200, { ...before, filters: FILTERS }]);
    const changed = await patch({ access_permissions: [{ behaviours: ['*'] }], display_name: 'other' });
    expect(changed.body).to.deep.include({ filters: FILTERS, display_name: 'other', description: 'first' });
    expect(changed.body.access_permissions).to.have.length(1);
    expect(changed.body.access_permissions[0]).to.deep.include({ behaviours: ['*'], asset_attributes_read: [] });
    expect(await read()).to.eql(changed.body);
    const versions = server.ledger.records as AccessPolicyRecord[];
    expect(versions.map(({ follows }) => follows)).to.eql(['', ...versions.slice(0, 2).map((each) => each.identity)]);
  });

  it('records nothing if nothing changes', async () => {
    for (const json of [{}, { description: 'first' }, before]) expect((await patch(json)).body).to.eql(before);
    expect(server.ledger.records).to.have.length(1);
  });

  it('changes the members that `mask` names alone', async () => {
    const one = await patchMasked('display_name', { display_name: 'other', filters: FILTERS });
    expect([one.status, one.body]).to.eql([200, { ...before, display_name: 'other' }]);
    const unknown = {
      access_permissions: [{ subjects: [`subjects/${randomUUID()}`], behaviours: ['x'] }],
      filters: [{ or: ['a'] }],
    };
    expect((await patchMasked('description', { description: 'd', ...unknown })).status).to.equal(200);
    expect((await patchMasked('description', {})).body.description).to.equal('');
    for (const name of ['display_name', 'filters', 'access_permissions'])
      expectProblem(await patchMasked(name, {}), 400, 'REQUEST_INVALID', name);
    for (const mask of ['', 'tenant', 'filters,']) {
      expectProblem(await patchMasked(mask, { filters: [] }), 400, 'REQUEST_INVALID', 'mask');
    }
  });

  it('refuses an invalid change by its path, and changes nothing', async () => {
    const permitting = (permission: object) => ({ access_permissions: [permission] });
    const refusals: [json: unknown, code: string, field: string][] = [
      [{ display_name: '' }, 'REQUEST_INVALID', 'display_name'],
      [{ access_permissions: [] }, 'REQUEST_INVALID', 'access_permissions'],
      [{ identities: [] }, 'REQUEST_INVALID', 'identities'],
      [{ filters: [{ or: ['a'] }] }, 'ACCESS_POLICY_INVALID', 'filters/0/or/0'],
      [permitting({ behaviours: ['Any'] }), 'BEHAVIOUR_UNKNOWN', 'access_permissions/0/behaviours/0'],
      [permitting({ subjects: [subjectOf(1)] }), 'SUBJECT_UNKNOWN', 'access_permissions/0/subjects/0'],
    ];
    for (const [json, error, field] of refusals) expectProblem(await patch(json), 400, error as never, field);
    expectProblem(await patch({}, { as: server.tenant.auditor }), 403, 'FORBIDDEN');
    expect(server.ledger.records).to.have.length(1);
  });

  it('changes a policy whose subject was deleted, as long as the change does not name it', async () => {
    const { identity: tenantIdentity } = server.tenant;
    const subject = aSubjectRecord(1);
    await server.ledger.mine({ tenantIdentity, record: subject });
    const access_permissions = [{ subjects: [subjectOf(1)] }];
    expect((await patch({ access_permissions })).status).to.equal(200);
    const deletion = {
      is_deleted: true,
      follows: subject.identity,
      identity: `${subjectOf(1)}/versions/${randomUUID()}`,
    };
    await server.ledger.mine({ tenantIdentity, record: { ...subject, ...deletion } });
    expect((await patch({ filters: FILTERS })).body.access_permissions[0].subjects).to.eql([subjectOf(1)]);
    expectProblem(await patch({ access_permissions }), 400, 'SUBJECT_UNKNOWN');
  });

  it('loses no concurrent change', async () => {
    server.ledger.beforeAppend = async () => {
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    };
    const changes = [{ display_name: 'A' }, { description: 'B' }, { filters: FILTERS }];
    const answers = await Promise.all(changes.map((json) => patch(json)));
    expect(answers.map(({ status }) => status)).to.eql([200, 200, 200]);
    expect(await read()).to.eql({ ...before, ...Object.assign({}, ...changes) });
  });

  it('is 409 if another writer records a version first, which then holds', async () => {
    const first = server.ledger.records[0] as AccessPolicyRecord;
    const foreign = { ...first, identity: `${identity}/versions/${randomUUID()}`, follows: first.identity };
    server.ledger.beforeAppend = async () => {
      server.ledger.beforeAppend = async () => {};
      const record = { ...foreign, display_name: 'from elsewhere' };
      await server.ledger.mine({ tenantIdentity: server.tenant.identity, record });
    };
    expectProblem(await patch({ description: 'late' }), 409, 'VERSION_CONFLICT');
    expect(await read()).to.eql({ ...before, display_name: 'from elsewhere' });
  });

  it('answers a deletion with an empty object, records it, and then answers 404', async () => {
    const { status, body } = await remove();
    expect([status, body]).to.eql([200, {}]);
    const [creation, deletion] = server.ledger.records as AccessPolicyRecord[];
    expect(deletion).to.deep.include({ is_deleted: true, follows: creation!.identity, filters: creation!.filters });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const json = method === 'PATCH' ? { json: {} } : {};
      expectProblem(await send(method, identity, json), 404, 'ACCESS_POLICY_NOT_FOUND');
    }
    expect((await server.request('GET', PATH, { as: server.tenant.auditor })).body.access_policies).to.eql([]);
  });

  it('shows a policy as it was at a time, also after its deletion', async () => {
    const at = async (atMs: number) => {
      const { status, body } = await send('GET', `${identity}?at_time=${new Date(atMs).toISOString()}`);
      return status === 200 ? body.display_name : [status, body.details[0].error];
    };
    const createdMs = server.clock.atMs;
    server.clock.atMs += 1_000;
    await patch({ display_name: 'later' });
    server.ledger.isChainAway = true;
    server.clock.atMs += 1_000;
    await remove();
    expect(await at(createdMs - 1)).to.eql([404, 'ACCESS_POLICY_NOT_FOUND']);
    expect([await at(createdMs), await at(createdMs + 999)]).to.eql(['open', 'open']);
    expect([await at(createdMs + 1_000), await at(createdMs + 1_999)]).to.eql(['later', 'later']);
    expect(await at(createdMs + 2_000)).to.eql([404, 'ACCESS_POLICY_NOT_FOUND']);
    expectProblem(await send('GET', `${identity}?at_time=yesterday`), 400, 'TIMESTAMP_INVALID', 'at_time');
    const foreign = await send('GET', `${identity}?at_time=2027-01-01T00:00:00Z`, { as: server.otherTenant.root });
    expectProblem(foreign, 404, 'ACCESS_POLICY_NOT_FOUND');
  });

  it('accepts one of many concurrent deletions, and no change after it', async () => {
    server.ledger.beforeAppend = async () => {
      for (let turn = 0; turn < 200; turn += 1) await setImmediate();
    };
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, remove),
      ...Array.from({ length: 5 }, () => patch({ display_name: 'late' })),
    ]);
    expect(answers.map(({ status }) => status).sort()).to.eql([200, ...Array(14).fill(404)]);
    expect(server.ledger.records).to.have.length(2);
  });

  it('shows changes and deletions that are not on the chain yet', async () => {
    server.ledger.isChainAway = true;
    await patch({ display_name: 'A' });
    expect((await patch({ description: 'B' })).body).to.include({ display_name: 'A', description: 'B' });
    await remove();
    expectProblem(await send('GET', identity), 404, 'ACCESS_POLICY_NOT_FOUND');
  });
});

describe('GET iam/v1/access_policies', () => {
  const server = useServer({ limits: { ...LIMITS, accessPoliciesMax: 100 } });
  before(async () => {
    const names: string[] = [];
    for (const named of NAMED) names.push((await createAnAccessPolicy(server, anAccessPolicy(named))).identity);
    await server.request('DELETE', `/svc/iam/v1/${names[3]}`, { as: server.tenant.administrator });
    const as = server.otherTenant.administrator;
    await createAnAccessPolicy(server, anAccessPolicy({ display_name: 'Depot' }), { as });
  });

  const get = (query: string, options: RequestOptions = {}) =>
    server.request('GET', `${PATH}${query}`, { as: server.tenant.auditor, ...options });
  const list = toNames(get, 'access_policies');

  itFinds(list, [...NAME_CASES, ['description=north&display_name=Depot', 'Depot']]);

  it('pages through either order, each policy once, with its identity and tenant', async () => {
    const as = server.tenant.auditor;
    for (const order of ['DEFAULT', 'DISPLAY_NAME']) {
      const names: string[] = [];
      for (let query = `?page_size=2&order_by=${order}`; query !== ''; ) {
        const { body } = await get(query);
        for (const policy of body.access_policies) {
          names.push(policy.display_name);
          expect((await server.request('GET', `/svc/iam/v1/${policy.identity}`, { as })).body).to.eql(policy);
        }
        query = body.next_page_token === '' ? '' : `?page_token=${body.next_page_token}`;
      }
      expect(names.join(' ')).to.equal(await list(`order_by=${order}`));
    }
  });

  it('accepts no token of another order, list or tenant', async () => {
    const { body } = await get('?page_size=1');
    const path = `?page_token=${body.next_page_token}`;
    const refused = [
      await get(`${path}&order_by=DISPLAY_NAME`),
      await get(path, { as: server.otherTenant.root }),
      await server.request('GET', `/svc/v1/compliance_policies?page_token=${body.next_page_token}`),
    ];
    for (const answer of refused) expectProblem(answer, 400, 'PAGE_TOKEN_INVALID', 'page_token');
  });

  it('refuses unknown parameters by name, and callers without the right of an auditor', async () => {
    for (const field of ['order_by', 'compliance_type', 'attributes.a', 'at_time'])
      expectProblem(await get(`?${field}=x`), 400, 'REQUEST_INVALID', field);
    for (const as of [server.tenant.reader, server.tenant.writer])
      expectProblem(await get('', { as }), 403, 'FORBIDDEN', 'authorization');
    expectProblem(await get('', { as: null }), 401, 'UNAUTHENTICATED');
  });
});
