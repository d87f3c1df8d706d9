// Several tenants have an asset with the same UUID: nobody gets what was meant for the owner of another one.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toTenantIdentity } from '../../../../ledger/identity.ts';
import type { AccessPermission } from '../../../../ledger/records/accessPolicy.ts';
import type { LedgerRecord } from '../../../../ledger/records/record.ts';
import { aTenantRecord } from '../../../support/records.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aRecord, createAnAsset } from '../../support/requests.ts';
import { introduce, permit } from '../../support/sharing.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

const ALL: Partial<AccessPermission> = {
  behaviours: ['*'],
  event_arc_display_type_write: ['*'],
  asset_attributes_write: ['*'],
  asset_attributes_read: ['*'],
  event_arc_display_type_read: ['*'],
};
const THIRD = { identity: toTenantIdentity(randomUUID()) };

describe("an event on another tenant's asset whose UUID several tenants use", () => {
  let server: TestServer;
  let asset: string;
  let creation: LedgerRecord;
  let subject: string;
  before(async () => {
    server = await startTestServer();
    subject = await introduce(server, server.tenant, server.otherTenant);
    await server.ledger.mine({ tenantIdentity: THIRD.identity, record: aTenantRecord(THIRD.identity) });
    const known = await introduce(server, THIRD, server.otherTenant);
    await permit(server, THIRD, { ...ALL, subjects: [known] });
  });
  after(() => server.close());
  let end: () => Promise<void>;
  afterEach(() => end());
  // A third tenant takes the UUID before its owner does, and shares its asset with the writer.
  beforeEach(async () => {
    const other = await createAnAsset(server);
    asset = randomUUID();
    const record = server.ledger.records.findLast(({ identity }) => identity.startsWith(`assets/${other}/`))!;
    creation = { ...record, identity: `assets/${asset}/events/${randomUUID()}` } as LedgerRecord;
    await server.ledger.mine({ tenantIdentity: THIRD.identity, record: creation });
    await server.ledger.mine({ tenantIdentity: server.tenant.identity, record: creation });
    end = await permit(server, server.tenant, { ...ALL, subjects: [subject] });
  });

  const post = (owner?: string, headers: Record<string, string> = {}) => {
    const query = owner === undefined ? '' : `?tenant_identity=${owner}`;
    const path = `/svc/v2/assets/${asset}/events${query}`;
    return server.request('POST', path, { as: server.otherTenant.writer, json: aRecord(), headers });
  };
  const countRecords = () => server.ledger.records.length;

  it('needs the name of the owner, and records nothing without it', async () => {
    const count = countRecords();
    expectProblem(await post(), 409, 'ASSET_AMBIGUOUS', 'tenant_identity');
    expect(countRecords()).to.equal(count);
    for (const owner of [server.tenant.identity, THIRD.identity]) {
      const { status, body } = await post(owner);
      expect([status, body.contribution.owner]).to.eql([200, owner]);
    }
  });

  it('goes to no other asset when the named owner shares its own no longer', async () => {
    await end();
    const count = countRecords();
    for (const owner of [server.tenant.identity, server.otherTenant.identity, `tenant/${randomUUID()}`, 'x'])
      expectProblem(await post(owner), 404, 'ASSET_NOT_FOUND');
    expect(countRecords()).to.equal(count);
    expect((await post()).body.contribution.owner).to.equal(THIRD.identity);
  });

  it("goes to an own asset, unless it names another asset's owner", async () => {
    const { identity: tenantIdentity } = server.otherTenant;
    await server.ledger.mine({ tenantIdentity, record: creation });
    for (const owner of [undefined, tenantIdentity]) {
      const { status, body } = await post(owner);
      expect([status, body.tenant_identity, 'contribution' in body]).to.eql([200, tenantIdentity, false]);
    }
    expect((await post(THIRD.identity)).body.contribution.owner).to.equal(THIRD.identity);
  });

  it('is not repeated for another owner under its Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'one' };
    const first = await post(server.tenant.identity, key);
    expect(first.status).to.equal(200);
    expect((await post(server.tenant.identity, key)).body).to.eql(first.body);
    expectProblem(await post(THIRD.identity, key), 409, 'IDEMPOTENCY_CONFLICT');
  });
});
