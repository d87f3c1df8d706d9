// Changes of policies, applications and root principals while another writer of the tenant records a version, and
// creations under identities that have one.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import type { TenantRecord } from '../../../ledger/records/tenant.ts';
import { assertSameRequest } from '../../../server/records/idempotency.ts';
import { aLocationRecord } from '../../support/records.ts';
import { createAnApplication } from '../support/applications.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { anAccessPolicy, aPolicy, aSubject, createALocation, createAPolicy } from '../support/requests.ts';
import { ISSUER } from '../support/testServer.ts';
import { useNewServer } from '../support/useServer.ts';

const DEPOT = { display_name: 'Depot', latitude: 1, longitude: 2 };

describe('a version that follows another than the newest', () => {
  const server = useNewServer();

  const mine = (record: LedgerRecord) => server.ledger.mine({ tenantIdentity: server.tenant.identity, record });

  // Another writer's version is on the chain before the next record of the server.
  const overtakeWith = (toForeign: (own: LedgerRecord) => LedgerRecord): void => {
    server.ledger.beforeAppend = async (own) => {
      server.ledger.beforeAppend = async () => {};
      await mine({ ...toForeign(own), identity: own.identity.replace(/[^/]*$/, randomUUID()) });
    };
  };
  const sameButNamed = (own: LedgerRecord): LedgerRecord => {
    const kept = 'is_deleted' in own ? { is_deleted: false } : {};
    return { ...own, display_name: 'from elsewhere', ...kept } as LedgerRecord;
  };

  it('ends the deletion of a policy with 409, and the policy stays', async () => {
    const { identity } = await createAPolicy(server);
    const remove = () => server.request('DELETE', `/svc/v1/${identity}`, { as: server.tenant.administrator });
    overtakeWith(sameButNamed);
    expectProblem(await remove(), 409, 'VERSION_CONFLICT');
    const { body } = await server.request('GET', `/svc/v1/${identity}`);
    expect(body.display_name).to.equal('from elsewhere');
    expect((await remove()).status).to.equal(200);
  });

  it('ends the deletion of a location with 409, and the location stays', async () => {
    const { identity } = await createALocation(server);
    const remove = () => server.request('DELETE', `/svc/v2/${identity}`);
    overtakeWith(sameButNamed);
    expectProblem(await remove(), 409, 'VERSION_CONFLICT');
    const { body } = await server.request('GET', `/svc/v2/${identity}`);
    expect(body.display_name).to.equal('from elsewhere');
    expect((await remove()).status).to.equal(200);
  });

  it('ends the change of a location with 409 if another writer deletes it first', async () => {
    const { identity } = await createALocation(server);
    const path = `/svc/v2/${identity}`;
    overtakeWith((own) => ({ ...own, is_deleted: true }) as LedgerRecord);
    expectProblem(await server.request('PATCH', path, { json: { description: 'late' } }), 409, 'VERSION_CONFLICT');
    expectProblem(await server.request('GET', path), 404, 'LOCATION_NOT_FOUND');
  });

  it('ends each change of an application with 409, and delivers no secret', async () => {
    const { identity } = await createAnApplication(server);
    const path = `/svc/iam/v1/${identity}`;
    const as = server.tenant.administrator;
    for (const [method, at, options] of [
      ['PATCH', path, { json: { roles: ['auditor'] } }],
      ['POST', `${path}:regenerate-secret`, {}],
      ['DELETE', path, {}],
    ] as const) {
      overtakeWith(sameButNamed);
      expectProblem(await server.request(method, at, { as, ...options }), 409, 'VERSION_CONFLICT');
    }
    const { status, body } = await server.request('GET', path, { as });
    expect([status, body.display_name]).to.eql([200, 'from elsewhere']);
    expect((await server.request('DELETE', path, { as })).status).to.equal(200);
  });

  it('ends a change of the root principals with 409, and the other list holds', async () => {
    const path = '/svc/v1/tenancies/root_principals';
    const as = server.tenant.root;
    const own = { issuer: ISSUER, subject: as.subject };
    const patch = (subject: string) =>
      server.request('PATCH', path, { as, json: { root_principals: [own, { issuer: ISSUER, subject }] } });
    overtakeWith(
      (record) => ({ ...record, root_principals: (record as TenantRecord).root_principals.slice(0, 1) }) as never,
    );
    expectProblem(await patch('late'), 409, 'VERSION_CONFLICT');
    expect((await server.request('GET', path, { as })).body.root_principals).to.have.length(1);
    expect((await patch('again')).status).to.equal(200);
  });

  it('ends a creation with 409, also when it is repeated with its key', async () => {
    for (const [path, json] of [
      ['v2/locations', DEPOT],
      ['v1/compliance_policies', aPolicy()],
      ['iam/v1/access_policies', anAccessPolicy()],
      ['iam/v1/subjects', aSubject()],
    ] as const) {
      const create = () =>
        server.request('POST', `/svc/${path}`, {
          as: server.tenant.root,
          json,
          headers: { 'Idempotency-Key': 'once' },
        });
      overtakeWith(sameButNamed);
      expectProblem(await create(), 409, 'VERSION_CONFLICT');
      expectProblem(await create(), 409, 'VERSION_CONFLICT');
    }
  });

  it('is not a record of 0.1 that created what is created again with the same key', () => {
    const old = aLocationRecord(1);
    const repeat = (changes: object) => () =>
      assertSameRequest(old, () => ({ ...old, follows: '', ...changes }) as LedgerRecord);
    expect(repeat({})).not.to.throw();
    expect(repeat({ description: 'other' }))
      .to.throw(LedgerError)
      .with.property('code', 'IDEMPOTENCY_CONFLICT');
  });

  it('names the version of an application that it follows', async () => {
    const created = await createAnApplication(server);
    const as = server.tenant.administrator;
    await server.request('PATCH', `/svc/iam/v1/${created.identity}`, { as, json: { display_name: 'renamed' } });
    const [first, second] = server.ledger.records as (LedgerRecord & { follows: string })[];
    expect([first!.follows, second!.follows]).to.eql(['', first!.identity]);
  });
});
