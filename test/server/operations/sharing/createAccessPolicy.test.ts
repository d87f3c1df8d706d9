import { expect } from 'chai';
import { toWalletAddress } from '../../../../ledger/records/subject.ts';
import { aCreation, aPermission, aSubjectRecord, aTenantRecord, WALLET_KEY } from '../../../support/records.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { anAccessPolicy } from '../../support/requests.ts';
import type { RequestOptions } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const PATH = '/svc/iam/v1/access_policies';
const SUBJECT = 'subjects/00000000-0000-4000-8000-000000000001';
const NONE = aPermission();
const FULL = {
  display_name: 'Pumps of Synsation',
  description: 'for the harbour office',
  filters: [
    { or: ['attributes.arc_display_type=Valve', 'attributes.arc_display_type=Pump'] },
    { or: ['attributes.ext_vendor_name=Synsation'] },
  ],
  access_permissions: [
    {
      subjects: [SUBJECT],
      user_attributes: [{ or: ['email=bill@example.com', 'subject=a=b'] }, { or: ['jwt_serial=7'] }],
      behaviours: ['RecordEvidence', '*'],
      include_attributes: ['arc_description'],
      asset_attributes_read: ['*'],
      asset_attributes_write: ['arc_firmware_version'],
      event_arc_display_type_read: ['*'],
      event_arc_display_type_write: ['Measure'],
    },
  ],
};

const permitting = (permission: object) => anAccessPolicy({ access_permissions: [NONE, permission] });
const manyNames = (count: number) => Array.from({ length: count }, (_, at) => `a${at}`);

describe('POST iam/v1/access_policies', () => {
  const server = useNewServer();
  let written: number;
  beforeEach(async () => {
    await server.ledger.mine({ tenantIdentity: server.tenant.identity, record: aSubjectRecord(1) });
    written = server.ledger.records.length;
  });
  const post = (json: unknown, options: RequestOptions = {}) =>
    server.request('POST', PATH, { as: server.tenant.administrator, json, ...options });
  const writtenSince = () => server.ledger.records.length - written;
  const refused = async (json: unknown, status: number, code: Parameters<typeof expectProblem>[2], field?: string) => {
    expectProblem(await post(json), status, code, field);
    expect(writtenSince()).to.equal(0);
  };

  it('answers with the request, its identity and its tenant, and records it', async () => {
    const { status, body } = await post(FULL);
    expect([status, body]).to.eql([200, { ...FULL, identity: body.identity, tenant: server.tenant.identity }]);
    expect(body.identity).to.match(new RegExp(`^access_policies/${UUID}$`));
    const record = server.ledger.records.at(-1)!;
    expect(record).to.deep.include({ type: 'access_policy', ...FULL, follows: '', is_deleted: false });
    expect(record.identity).to.match(new RegExp(`^${body.identity}/versions/${UUID}$`));
    expect(record.principal_accepted.subject).to.equal(server.tenant.administrator.subject);
    const read = await server.request('GET', `/archivist/iam/v1/${body.identity}`, { as: server.tenant.auditor });
    expect(read.body).to.eql(body);
  });

  it('fills in the lists that are absent or null', async () => {
    const { body } = await post({
      ...anAccessPolicy({ description: null }),
      access_permissions: [{}, { behaviours: null, user_attributes: null }, { include_attributes: ['a'] }],
    });
    expect(body.description).to.equal('');
    expect(body.access_permissions).to.eql([NONE, NONE, { ...NONE, include_attributes: ['a'] }]);
  });

  it('accepts and ignores the other members of its answer', async () => {
    const { body } = await post(FULL);
    const again = await post({ ...body, tenant: server.otherTenant.identity });
    expect([again.status, again.body]).to.eql([200, { ...body, identity: again.body.identity }]);
    expect(again.body.identity).to.not.equal(body.identity);
  });

  it('accepts the UUID of a subject in either case', async () => {
    const subjects = [`subjects/${SUBJECT.slice('subjects/'.length).toUpperCase()}`];
    expect((await post(permitting({ subjects }))).body.access_permissions[1].subjects).to.eql([SUBJECT]);
  });

  it('refuses a body without the required members, each by its name', async () => {
    for (const name of ['display_name', 'filters', 'access_permissions']) {
      const { [name]: _, ...rest } = anAccessPolicy();
      await refused(rest, 400, 'REQUEST_INVALID', name);
      await refused(anAccessPolicy({ [name]: null }), 400, 'REQUEST_INVALID', name);
    }
  });

  it('refuses a value against the document by its path, and writes nothing', async () => {
    const cases: [json: object, field: string][] = [
      [anAccessPolicy({ display_name: '' }), 'display_name'],
      [anAccessPolicy({ display_name: 'x'.repeat(129) }), 'display_name'],
      [anAccessPolicy({ description: 'x'.repeat(4_097) }), 'description'],
      [anAccessPolicy({ access_permissions: [] }), 'access_permissions'],
      [anAccessPolicy({ access_permissions: Array(101).fill({}) }), 'access_permissions'],
      [anAccessPolicy({ filters: [{}] }), 'filters/0/or'],
      [anAccessPolicy({ filters: Array(101).fill({ or: ['a=b'] }) }), 'filters'],
      [permitting({ asset_attributes_read: manyNames(10_000) }), 'access_permissions/1/asset_attributes_read'],
      [permitting({ asset_attributes_write: [''] }), 'access_permissions/1/asset_attributes_write/0'],
      [permitting({ include_attributes: ['x'.repeat(1_025)] }), 'access_permissions/1/include_attributes/0'],
      [permitting({ event_arc_display_type_read: [7] }), 'access_permissions/1/event_arc_display_type_read/0'],
      [permitting({ roles: [] }), 'access_permissions/1/roles'],
      [permitting({ subjects: SUBJECT }), 'access_permissions/1/subjects'],
      [anAccessPolicy({ is_deleted: true }), 'is_deleted'],
    ];
    for (const [json, field] of cases) await refused(json, 400, 'REQUEST_INVALID', field);
    expect((await post(anAccessPolicy({ display_name: '\u{1f6aa}'.repeat(128) }))).status).to.equal(200);
  });

  it('refuses text that grants nothing, or something else than it seems to', async () => {
    const filters = (...or: string[]) => anAccessPolicy({ filters: [{ or }] });
    await refused(filters('a=b', 'a'), 400, 'ACCESS_POLICY_INVALID', 'filters/0/or/1');
    await refused(filters('attribute.a=b'), 400, 'ACCESS_POLICY_INVALID', 'filters/0/or/0');
    await refused(filters(), 400, 'ACCESS_POLICY_INVALID', 'filters/0/or');
    const claims = permitting({ user_attributes: [{ or: ['email=a', 'bill'] }] });
    await refused(claims, 400, 'ACCESS_POLICY_INVALID', 'access_permissions/1/user_attributes/0/or/1');
    const behaviours = permitting({ behaviours: ['RecordEvidence', 'Anything'] });
    await refused(behaviours, 400, 'BEHAVIOUR_UNKNOWN', 'access_permissions/1/behaviours/1');
  });

  it('refuses a subject that the tenant does not have', async () => {
    const { identity } = server.otherTenant;
    await server.ledger.mine({ tenantIdentity: identity, record: aSubjectRecord(2) });
    await server.ledger.mine({
      tenantIdentity: server.tenant.identity,
      record: aSubjectRecord(3, { is_deleted: true }),
    });
    for (const number of [2, 3, 4]) {
      const subjects = [SUBJECT, SUBJECT.replace(/1$/, String(number))];
      await refused(permitting({ subjects }), 400, 'SUBJECT_UNKNOWN', 'access_permissions/1/subjects/1');
    }
    for (const text of ['', 'subjects/', 'subjects/1', 'locations/00000000-0000-4000-8000-000000000001'])
      await refused(permitting({ subjects: [text] }), 400, 'SUBJECT_UNKNOWN', 'access_permissions/1/subjects/0');
  });

  it('refuses a subject that stands for the tenant itself', async () => {
    const self = 'subjects/00000000-0000-0000-0000-000000000000';
    await refused(permitting({ subjects: [self] }), 400, 'SUBJECT_OWN', 'access_permissions/1/subjects/0');
    const { identity: tenantIdentity } = server.tenant;
    const changed = { author: toWalletAddress(WALLET_KEY) };
    await server.ledger.mine({ tenantIdentity, record: aTenantRecord(tenantIdentity) });
    await server.ledger.mine({ tenantIdentity, record: aCreation(), changed });
    await refused(permitting({ subjects: [SUBJECT] }), 400, 'SUBJECT_OWN', 'access_permissions/1/subjects/0');
  });

  it('requires the right of an administrator', async () => {
    for (const as of [server.tenant.writer, server.tenant.auditor, server.tenant.roleless]) {
      expectProblem(await post(FULL, { as }), 403, 'FORBIDDEN', 'authorization');
    }
    expectProblem(await post(FULL, { as: null }), 401, 'UNAUTHENTICATED');
    expect(writtenSince()).to.equal(0);
  });

  it('repeats the first answer for the same Idempotency-Key, even after a change and a deletion', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const first = await post(FULL, { headers });
    const path = `/svc/iam/v1/${first.body.identity}`;
    const as = server.tenant.administrator;
    await server.request('PATCH', path, { as, json: { filters: [] } });
    expect((await post(FULL, { headers })).body).to.eql(first.body);
    await server.request('DELETE', path, { as });
    expect((await post(FULL, { headers })).body).to.eql(first.body);
    expectProblem(await post(anAccessPolicy(), { headers }), 409, 'IDEMPOTENCY_CONFLICT');
    expect(writtenSince()).to.equal(3);
  });

  it('creates one policy for many equal concurrent requests', async () => {
    const headers = { 'Idempotency-Key': 'at-once' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(FULL, { headers })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.identity}`)).size).to.equal(1);
    expect(writtenSince()).to.equal(1);
  });
});
