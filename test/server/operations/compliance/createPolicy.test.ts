import { expect } from 'chai';
import type { PolicyRecord } from '../../../../ledger/records/policy.ts';
import { EMPTY_POLICY } from '../../../ledger/compliance/policies.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aPolicy } from '../../support/requests.ts';
import type { RequestOptions } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const PATH = '/svc/v1/compliance_policies';
const PAIRED = { event_display_type: 'Open', closing_event_display_type: 'Close' };
const CURRENT = { compliance_type: 'COMPLIANCE_CURRENT_OUTSTANDING', ...PAIRED };
const PERIOD = { compliance_type: 'COMPLIANCE_PERIOD_OUTSTANDING', ...PAIRED, time_period_seconds: '5' };
const DYNAMIC = {
  compliance_type: 'COMPLIANCE_DYNAMIC_TOLERANCE',
  ...PAIRED,
  dynamic_window: 86400,
  dynamic_variability: 1.5,
};
const RICHNESS = { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['a<7', 'b=c'] }] };
const LONG = 'x'.repeat(4097);

describe('POST v1/compliance_policies', () => {
  const server = useNewServer();
  const post = (json: unknown, options: RequestOptions = {}) =>
    server.request('POST', PATH, { as: server.tenant.administrator, json, ...options });
  const postText = (body: string) =>
    server.request('POST', PATH, {
      as: server.tenant.administrator,
      body,
      headers: { 'content-type': 'application/json' },
    });

  it('answers with the complete policy, and records it', async () => {
    const full = {
      ...aPolicy({ compliance_type: 'COMPLIANCE_SINCE', closing_event_display_type: 'Close', dynamic_window: '86400' }),
      display_name: 'Inspected',
      description: 'often',
      asset_filter: [{ or: ['attributes.arc_display_type:Pump', 'attributes.a!=*'] }, { or: ['attributes.b=c'] }],
      dynamic_variability: 0.5,
      richness_assertions: [{ or: ['rad<7'] }],
    };
    const { status, body } = await post(full);
    expect([status, body]).to.eql([200, { identity: body.identity, ...full }]);
    expect(body.identity).to.match(new RegExp(`^compliance_policies/${UUID}$`));
    const record = server.ledger.records.at(-1)!;
    expect(record).to.deep.include({ type: 'policy', ...full, is_deleted: false });
    expect(record.identity).to.match(new RegExp(`^${body.identity}/versions/${UUID}$`));
    expect(record.timestamp_accepted).to.equal('2026-11-20T10:15:30.123Z');
    expect(record.principal_accepted.subject).to.equal(server.tenant.administrator.subject);
    expect((await server.request('GET', `/archivist/v1/${body.identity}`)).body).to.eql(body);
  });

  it('fills in the fields that a type does not need', async () => {
    const seconds = { ...DYNAMIC, dynamic_window: '86400' };
    for (const given of [aPolicy(), CURRENT, PERIOD, seconds, RICHNESS]) {
      const { body } = await post(given);
      expect(body).to.eql({ identity: body.identity, ...EMPTY_POLICY, ...given });
    }
  });

  it('accepts seconds as numbers and as texts, and keeps each digit', async () => {
    const cases = ['1', '"1"', '"007"', '10.0', '900719925474099301', '"999999999999999999"'];
    const seen: string[] = [];
    for (const given of cases) {
      const { body } = await postText(
        `{"compliance_type":"COMPLIANCE_SINCE","event_display_type":"E","time_period_seconds":${given},"dynamic_window":${given}}`,
      );
      expect(body.dynamic_window).to.equal(body.time_period_seconds);
      seen.push(body.time_period_seconds);
    }
    expect(seen).to.eql(['1', '1', '7', '10', '900719925474099301', '999999999999999999']);
  });

  it('accepts a variability as a number and as a text, and answers with a number', async () => {
    const seen: number[] = [];
    for (const given of [0, '-0', 1.5, '1.50', '2e1', '+3']) {
      seen.push((await post({ ...DYNAMIC, dynamic_variability: given })).body.dynamic_variability);
    }
    expect(seen).to.eql([0, 0, 1.5, 1.5, 20, 3]);
    const [, negativeZero] = server.ledger.records as PolicyRecord[];
    expect(Object.is(negativeZero!.dynamic_variability, 0)).to.equal(true);
  });

  const missing: [title: string, complete: object, fields: string[]][] = [
    ['SINCE', aPolicy(), ['event_display_type', 'time_period_seconds']],
    ['CURRENT_OUTSTANDING', CURRENT, ['event_display_type', 'closing_event_display_type']],
    ['PERIOD_OUTSTANDING', PERIOD, ['event_display_type', 'closing_event_display_type', 'time_period_seconds']],
    [
      'DYNAMIC_TOLERANCE',
      DYNAMIC,
      ['event_display_type', 'closing_event_display_type', 'dynamic_window', 'dynamic_variability'],
    ],
    ['RICHNESS', RICHNESS, ['richness_assertions']],
  ];
  for (const [title, complete, fields] of missing) {
    it(`refuses ${title} without ${fields.join(', ')}, each by its name`, async () => {
      for (const field of fields) {
        const { [field]: _, ...without } = complete as Record<string, unknown>;
        expectProblem(await post(without), 400, 'POLICY_INVALID', field);
      }
      const { body } = await post({ compliance_type: (complete as typeof CURRENT).compliance_type });
      expect(body.details.map(({ field }: { field: string }) => field)).to.eql(fields);
      expect(server.ledger.records).to.eql([]);
    });
  }

  const malformed: [field: string, value: unknown, named?: string][] = [
    ['time_period_seconds', ''],
    ['time_period_seconds', '0'],
    ['time_period_seconds', 0],
    ['time_period_seconds', -1],
    ['time_period_seconds', '-1'],
    ['time_period_seconds', 1.5],
    ['time_period_seconds', '1e3'],
    ['time_period_seconds', ' 10'],
    ['time_period_seconds', '10s'],
    ['time_period_seconds', '١'],
    ['time_period_seconds', '9223372036854775808'],
    ['dynamic_window', 'soon'],
    ['dynamic_window', '0x10'],
    ['dynamic_variability', 'much'],
    ['dynamic_variability', ''],
    ['dynamic_variability', 'NaN'],
    ['dynamic_variability', 'Infinity'],
    ['dynamic_variability', '1e400'],
    ['dynamic_variability', '1.00000000000000000001'],
    ['dynamic_variability', -0.5],
    ['event_display_type', ''],
    ['event_display_type', '  '],
    ['asset_filter', [{ or: ['pump'] }], 'asset_filter/0/or/0'],
    ['asset_filter', [{ or: ['a:b'] }, { or: ['a:b', 'a:'] }], 'asset_filter/1/or/1'],
    ['asset_filter', [{ or: [] }], 'asset_filter/0/or'],
    ['asset_filter', [{ or: ['a:b', 'a: b'] }], 'asset_filter/0/or/1'],
    ['asset_filter', [{ or: [' a:b'] }], 'asset_filter/0/or/0'],
    ['asset_filter', [{ or: ['attribute.a:b'] }], 'asset_filter/0/or/0'],
    ['asset_filter', [{ or: ['asset_attributes.a=b'] }], 'asset_filter/0/or/0'],
    ['event_display_type', 'Inspection '],
    ['closing_event_display_type', ' Close'],
    ['richness_assertions', [{ or: ['a<7'] }, { or: ['a<7', 'rad < 7'] }], 'richness_assertions/1/or/1'],
    ['richness_assertions', [{ or: ['rad<7 '] }], 'richness_assertions/0/or/0'],
    ['richness_assertions', [{ or: ['event_attributes.rad<7'] }], 'richness_assertions/0/or/0'],
    ['richness_assertions', [{ or: ['rad'] }], 'richness_assertions/0/or/0'],
    ['richness_assertions', [{ or: ['<7'] }], 'richness_assertions/0/or/0'],
    ['richness_assertions', [{ or: [] }], 'richness_assertions/0/or'],
  ];
  it('refuses a meaningless value by the name of its field, and writes nothing', async () => {
    for (const [field, value, named] of malformed) {
      const complete = field.startsWith('dynamic') ? DYNAMIC : aPolicy();
      const answer = await post({ ...complete, [field]: value });
      expect([field, value, answer.status]).to.eql([field, value, 400]);
      expectProblem(answer, 400, 'POLICY_INVALID', named ?? field);
    }
    expect(server.ledger.records).to.eql([]);
  });

  const undescribed: [field: string, value: unknown, named?: string][] = [
    ['compliance_type', undefined],
    ['compliance_type', 'COMPLIANCE_NEVER'],
    ['compliance_type', 1],
    ['display_name', 1],
    ['display_name', 'x'.repeat(1025)],
    ['description', 1],
    ['description', LONG],
    ['event_display_type', ['Inspection']],
    ['event_display_type', LONG],
    ['closing_event_display_type', LONG],
    ['time_period_seconds', true],
    ['time_period_seconds', []],
    ['time_period_seconds', '1'.repeat(65)],
    ['dynamic_window', {}],
    ['dynamic_variability', [1]],
    ['asset_filter', 'a:b'],
    ['asset_filter', ['a:b'], 'asset_filter/0'],
    ['asset_filter', [{}], 'asset_filter/0/or'],
    ['asset_filter', [{ or: 'a:b' }], 'asset_filter/0/or'],
    ['asset_filter', [{ or: [1] }], 'asset_filter/0/or/0'],
    ['asset_filter', [{ or: [LONG] }], 'asset_filter/0/or/0'],
    ['asset_filter', [{ or: ['a:b'], and: [] }], 'asset_filter/0/and'],
    ['asset_filter', Array(101).fill({ or: ['a:b'] })],
    ['richness_assertions', [{ or: Array(101).fill('a=b') }], 'richness_assertions/0/or'],
    ['identities', 'compliance_policies/3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11'],
    ['tolerance', 1],
  ];
  it('refuses a value against the document by the name of its field, and writes nothing', async () => {
    for (const [field, value, named] of undescribed) {
      const answer = await post(aPolicy({ [field]: value }));
      expect([field, value, answer.status]).to.eql([field, value, 400]);
      expectProblem(answer, 400, 'REQUEST_INVALID', named ?? field);
    }
    expectProblem(await post([]), 400, 'REQUEST_INVALID', 'body');
    expectProblem(await postText('{'), 400, 'REQUEST_INVALID', 'body');
    const huge = '{"compliance_type":"COMPLIANCE_SINCE","event_display_type":"E","time_period_seconds":1e400}';
    expectProblem(await postText(huge), 400, 'POLICY_INVALID', 'time_period_seconds');
    expect(server.ledger.records).to.eql([]);
    expect(server.unexpected).to.eql([]);
  });

  it('needs the right to write', async () => {
    expectProblem(await post(aPolicy(), { as: server.tenant.reader }), 403, 'FORBIDDEN', 'authorization');
    expectProblem(await post(aPolicy(), { as: null }), 401, 'UNAUTHENTICATED');
  });

  it('repeats the first answer for the same Idempotency-Key, even after a deletion', async () => {
    const headers = { 'Idempotency-Key': 'inspected-1' };
    const first = await post(aPolicy(), { headers });
    server.clock.atMs += 60_000;
    const again = await post(aPolicy({ time_period_seconds: 10, description: '' }), { headers });
    expect([again.status, again.body]).to.eql([200, first.body]);
    expectProblem(await post(aPolicy({ time_period_seconds: 11 }), { headers }), 409, 'IDEMPOTENCY_CONFLICT');
    await server.request('DELETE', `/svc/v1/${first.body.identity}`, { as: server.tenant.administrator });
    expect((await post(aPolicy(), { headers })).body).to.eql(first.body);
    expect(server.ledger.records).to.have.length(2);
    expect((await server.request('GET', `/svc/v1/${first.body.identity}`)).status).to.equal(404);
  });

  it('creates one policy for many equal concurrent requests', async () => {
    const headers = { 'Idempotency-Key': 'inspected-1' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(aPolicy(), { headers })));
    for (const { status, body } of answers) expect([status, body]).to.eql([200, answers[0]!.body]);
    expect(server.ledger.records).to.have.length(1);
  });
});
