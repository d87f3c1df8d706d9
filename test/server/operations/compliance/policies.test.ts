// Reading, listing and deleting compliance policies.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { itFinds, NAME_CASES, NAMED, toNames } from '../../support/filterCases.ts';
import { aPolicy, createAPolicy, readNamesByPage } from '../../support/requests.ts';
import { LIMITS } from '../../support/testServer.ts';
import { useNewServer, useServer } from '../../support/useServer.ts';

const NO_UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const PATH = '/svc/v1/compliance_policies';
const RICHNESS = { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['a=b'] }] };

describe('v1/compliance_policies/{uuid}', () => {
  const server = useNewServer();

  it('shows a policy to its own tenant alone, which alone may delete it', async () => {
    const policy = await createAPolicy(server);
    const path = `/svc/v1/${policy.identity}`;
    expect((await server.request('GET', path, { as: server.tenant.reader })).body).to.eql(policy);
    expect((await server.request('GET', path.toUpperCase().replace(/.*\//, `${PATH}/`))).body).to.eql(policy);
    for (const method of ['GET', 'DELETE']) {
      expectProblem(await server.request(method, path, { as: server.otherTenant.root }), 404, 'POLICY_NOT_FOUND');
    }
    expect((await server.request('GET', path)).status).to.equal(200);
  });

  it('answers 404 for a policy that never existed', async () => {
    for (const method of ['GET', 'DELETE']) {
      expectProblem(
        await server.request(method, `${PATH}/${NO_UUID}`, { as: server.tenant.administrator }),
        404,
        'POLICY_NOT_FOUND',
      );
      expectProblem(
        await server.request(method, `${PATH}/policy`, { as: server.tenant.administrator }),
        400,
        'IDENTITY_INVALID',
        'uuid',
      );
    }
  });

  it('answers a deletion with the policy, records it, and then answers 404', async () => {
    const policy = await createAPolicy(server, aPolicy({ asset_filter: [{ or: ['a:b'] }], display_name: 'x' }));
    server.clock.atMs += 1000;
    const path = `/svc/v1/${policy.identity}`;
    const { status, body } = await server.request('DELETE', path, { as: server.tenant.root });
    expect([status, body]).to.eql([200, policy]);
    const [creation, deletion] = server.ledger.records;
    const { subject } = server.tenant.root;
    expect(deletion).to.deep.include({ type: 'policy', is_deleted: true, asset_filter: policy.asset_filter });
    expect([deletion!.principal_accepted.subject, deletion!.timestamp_accepted]).to.eql([
      subject,
      '2026-11-20T10:15:31.123Z',
    ]);
    expect(deletion!.identity)
      .to.match(new RegExp(`^${policy.identity}/versions/`))
      .and.not.equal(creation!.identity);
    for (const method of ['GET', 'DELETE']) {
      expectProblem(await server.request(method, path, { as: server.tenant.administrator }), 404, 'POLICY_NOT_FOUND');
    }
    expect((await server.request('GET', PATH)).body.compliance_policies).to.eql([]);
  });

  it('accepts one of many concurrent deletions', async () => {
    const { identity } = await createAPolicy(server);
    server.ledger.beforeAppend = async () => {
      for (let turn = 0; turn < 200; turn += 1) await setImmediate();
    };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        server.request('DELETE', `/svc/v1/${identity}`, { as: server.tenant.administrator }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.eql([200, ...Array(19).fill(404)]);
    expect(server.ledger.records).to.have.length(2);
  });

  it('requires the right `policies` for a deletion', async () => {
    const { identity } = await createAPolicy(server);
    const answer = await server.request('DELETE', `/svc/v1/${identity}`, { as: server.tenant.writer });
    expectProblem(answer, 403, 'FORBIDDEN', 'authorization');
    expect(answer.body.details[0].description).to.include('"policies"');
  });

  it('shows creations and deletions that are not on the chain yet', async () => {
    const committed = await createAPolicy(server);
    server.ledger.isChainAway = true;
    const waiting = await createAPolicy(server, RICHNESS);
    await server.request('DELETE', `/svc/v1/${committed.identity}`, { as: server.tenant.administrator });
    expect((await server.request('GET', PATH)).body.compliance_policies).to.eql([waiting]);
    expect((await server.request('GET', `/svc/v1/${committed.identity}`)).status).to.equal(404);
    await server.request('DELETE', `/svc/v1/${waiting.identity}`, { as: server.tenant.administrator });
    expect((await server.request('GET', PATH)).body.compliance_policies).to.eql([]);
  });
});

describe('GET v1/compliance_policies', () => {
  const names: string[] = [];
  const server = useServer({ limits: { ...LIMITS, policiesMax: 100 } });
  before(async () => {
    for (const [at, named] of NAMED.entries()) {
      const { identity } = await createAPolicy(server, aPolicy({ ...named, ...([1, 5].includes(at) && RICHNESS) }));
      names.push(identity);
    }
    await server.request('DELETE', `/svc/v1/${names[3]}`, { as: server.tenant.administrator });
    await createAPolicy(server, aPolicy({ display_name: 'Depot' }), { as: server.otherTenant.administrator });
  });

  const list = toNames((query, options) => server.request('GET', `${PATH}${query}`, options), 'compliance_policies');

  itFinds(list, [
    ...NAME_CASES,
    ['compliance_type=COMPLIANCE_RICHNESS', '\u{1f6aa} Depot'],
    ['compliance_type=COMPLIANCE_RICHNESS&display_name=Depot', 'Depot'],
    ['compliance_type=COMPLIANCE_PERIOD_OUTSTANDING', ''],
  ]);

  it('pages through either order, each policy once', async () => {
    for (const order of ['DEFAULT', 'DISPLAY_NAME']) {
      const pages = `${PATH}?page_size=2&order_by=${order}`;
      expect(await readNamesByPage(server, pages, 'compliance_policies')).to.equal(await list(`order_by=${order}`));
    }
  });

  it('ends at the limit with 206 when no page_size is given', async () => {
    const added = await createAPolicy(server, aPolicy({ display_name: 'added' }));
    const { status, headers, body } = await server.request('GET', PATH);
    expect([status, headers.get('content-range'), body.compliance_policies.length]).to.eql([206, 'items 0-5/6', 5]);
    expect(body.compliance_policies[0]).to.eql(added);
    await server.request('DELETE', `/svc/v1/${added.identity}`, { as: server.tenant.administrator });
  });

  it('accepts no token of another order, list or tenant', async () => {
    const { body } = await server.request('GET', `${PATH}?page_size=1`);
    const path = `${PATH}?page_token=${body.next_page_token}`;
    const refused = [
      await server.request('GET', `${path}&order_by=DISPLAY_NAME`),
      await server.request('GET', path, { as: server.otherTenant.root }),
      await server.request('GET', `/svc/v2/locations?page_token=${body.next_page_token}`),
    ];
    for (const answer of refused) expectProblem(answer, 400, 'PAGE_TOKEN_INVALID', 'page_token');
  });

  it('refuses unknown parameters by name', async () => {
    const cases: [query: string, field: string][] = [
      ['order_by=NAME', 'order_by'],
      ['compliance_type=SINCE', 'compliance_type'],
      ['compliance_type=', 'compliance_type'],
      ['display_name=', 'display_name'],
      ['attributes.a=b', 'attributes.a'],
      ['page_size=0', 'page_size'],
      ['compliant_at=2026-11-20T10:15:30Z', 'compliant_at'],
    ];
    for (const [query, field] of cases) {
      expectProblem(await server.request('GET', `${PATH}?${query}`), 400, 'REQUEST_INVALID', field);
    }
    expectProblem(await server.request('GET', PATH, { as: null }), 401, 'UNAUTHENTICATED');
  });
});
