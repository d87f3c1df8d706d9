import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { check, createAssetAt, PATH, recordAt, setClock } from '../../support/compliance.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aPolicy, createAPolicy } from '../../support/requests.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

const PAIR = { event_display_type: 'Fault', closing_event_display_type: 'Repair' };
const POLICIES = [
  aPolicy({ event_display_type: 'Fault', time_period_seconds: 30 }),
  { compliance_type: 'COMPLIANCE_CURRENT_OUTSTANDING', ...PAIR },
  { compliance_type: 'COMPLIANCE_PERIOD_OUTSTANDING', ...PAIR, time_period_seconds: '5' },
  { compliance_type: 'COMPLIANCE_DYNAMIC_TOLERANCE', ...PAIR, dynamic_window: 3600, dynamic_variability: '1.5' },
  { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['rad<7'] }] },
];

describe('tryPolicy', () => {
  let server: TestServer;
  let asset: string;
  const send = (json: object, { uuid = asset, query = '', as = server.tenant.reader } = {}) =>
    server.request('POST', `${PATH}/${uuid}:try${query}`, { as, json });

  beforeEach(async () => {
    server = await startTestServer();
    asset = await createAssetAt(server, '2026-11-20T10:00:00Z', { arc_display_type: 'Drum', rad: '6' });
    for (const [at, type] of [
      ['2026-11-20T10:00:10Z', 'Fault'],
      ['2026-11-20T10:00:20Z', 'Repair'],
    ] as const)
      await recordAt(server, asset, { at, type, correlation: 'one' });
    setClock(server, '2026-11-20T10:01:00Z');
  });
  afterEach(async () => {
    expect(server.unexpected).to.eql([]);
    await server.close();
  });

  it('gives the verdict that each type of policy gives when it is created, and records nothing', async () => {
    const records = server.ledger.records.length;
    const times = ['2026-11-20T10:00:15.000Z', '2026-11-20T10:00:59.000Z'];
    const tried = POLICIES.flatMap((json) => times.map((at) => send(json, { query: `?compliant_at=${at}` })));
    const answers = await Promise.all(tried);
    expect(server.ledger.records.length).to.equal(records);
    for (const [at, json] of POLICIES.entries()) {
      const { identity } = await createAPolicy(server, json);
      for (const [index, compliant_at] of times.entries()) {
        const { compliance } = await check(server, asset, `compliant_at=${compliant_at}`);
        const { compliance_policy_identity, ...statement } = compliance[0];
        const { status, body } = answers[at * times.length + index]!;
        expect([compliance_policy_identity, status]).to.eql([identity, 200]);
        expect(body).to.eql({ applies: true, ...statement, compliant_at });
      }
    }
    expect(new Set(answers.map(({ body }) => body.compliant))).to.eql(new Set([true, false]));
  });

  it('reports whether the filter of the policy matches the asset', async () => {
    for (const [value, applies] of [
      ['Drum', true],
      ['Door', false],
    ] as const) {
      const asset_filter = [{ or: [`attributes.arc_display_type:${value}`] }];
      const { body } = await send({ ...POLICIES[1], asset_filter });
      expect([body.applies, body.compliant]).to.eql([applies, true]);
    }
  });

  it('refuses what a creation refuses, and unknown assets', async () => {
    expectProblem(
      await send({ compliance_type: 'COMPLIANCE_SINCE', event_display_type: 'Fault' }),
      400,
      'POLICY_INVALID',
      'time_period_seconds',
    );
    expectProblem(await send(aPolicy({ time_period_seconds: '1.5' })), 400, 'POLICY_INVALID', 'time_period_seconds');
    expectProblem(await send(aPolicy(), { uuid: randomUUID() }), 404, 'ASSET_NOT_FOUND');
    expectProblem(await send(aPolicy(), { query: '?compliant_at=2026-11-20T09:00:00Z' }), 404, 'ASSET_NOT_FOUND');
    expectProblem(await send(aPolicy(), { as: server.otherTenant.reader }), 404, 'ASSET_NOT_FOUND');
    expectProblem(await send(aPolicy(), { as: server.tenant.roleless }), 403, 'FORBIDDEN', 'authorization');
  });
});
