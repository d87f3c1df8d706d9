// Several tenants have an asset with the same UUID: nobody gets what was meant for the owner of another one.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toTenantIdentity } from '../../../../ledger/identity.ts';
import type { AccessPermission } from '../../../../ledger/records/accessPolicy.ts';
import type { EventRecord, EventResource } from '../../../../ledger/records/event.ts';
import { anEvent, aTenantRecord } from '../../../support/records.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aRecord, createAnAsset } from '../../support/requests.ts';
import { introduce, permit } from '../../support/sharing.ts';
import { useServer } from '../../support/useServer.ts';

const ALL: Partial<AccessPermission> = {
  behaviours: ['*'],
  event_arc_display_type_write: ['*'],
  asset_attributes_write: ['*'],
  asset_attributes_read: ['*'],
  event_arc_display_type_read: ['*'],
};
const THIRD = { identity: toTenantIdentity(randomUUID()) };

describe("an event on another tenant's asset whose UUID several tenants use", () => {
  const server = useServer();
  let asset: string;
  let creation: EventRecord;
  let subject: string;
  before(async () => {
    subject = await introduce(server, server.tenant, server.otherTenant);
    await server.ledger.mine({ tenantIdentity: THIRD.identity, record: aTenantRecord(THIRD.identity) });
    const known = await introduce(server, THIRD, server.otherTenant);
    await permit(server, THIRD, { ...ALL, subjects: [known] });
  });
  let end: () => Promise<void>;
  afterEach(() => end());
  // A third tenant takes the UUID before its owner does, and shares its asset with the writer.
  beforeEach(async () => {
    const other = await createAnAsset(server);
    asset = randomUUID();
    const record = server.ledger.records.findLast(({ identity }) => identity.startsWith(`assets/${other}/`))!;
    creation = { ...record, identity: `assets/${asset}/events/${randomUUID()}` } as EventRecord;
    await server.ledger.mine({ tenantIdentity: THIRD.identity, record: creation });
    await server.ledger.mine({ tenantIdentity: server.tenant.identity, record: creation });
    end = await permit(server, server.tenant, { ...ALL, subjects: [subject] });
  });

  const post = (owner?: string, headers: Record<string, string> = {}) => {
    const query = owner === undefined ? '' : `?tenant_identity=${owner}`;
    const path = `/svc/v2/assets/${asset}/events${query}`;
    return server.request('POST', path, { as: server.otherTenant.writer, json: aRecord(), headers });
  };
  const read = (path: string, owner?: string) => {
    const query = owner === undefined ? '' : `?tenant_identity=${owner}`;
    return server.request('GET', `/svc/v2/${path}${query}`, { as: server.otherTenant.writer });
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
    for (const owner of [server.tenant.identity, server.otherTenant.identity, `tenant/${randomUUID()}`])
      expectProblem(await post(owner), 404, 'ASSET_NOT_FOUND');
    expectProblem(await post('x'), 400, 'REQUEST_INVALID', 'tenant_identity');
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

  it('is read where its owner is named, like the asset and its attachments', async () => {
    const blob = randomUUID();
    const photo = { arc_attribute_type: 'arc_attachment', arc_blob_identity: `blobs/${blob}` };
    const record = anEvent({ identity: `assets/${asset}/events/${randomUUID()}`, asset_attributes: { photo } });
    await server.ledger.mine({ tenantIdentity: THIRD.identity, record });
    const attachments = [`attachments/assets/${asset}/${blob}`, `attachments/${record.identity}/${blob}`];
    const found = [`assets/${asset}`, `assets/${asset}/events`, record.identity];
    for (const path of [...found, ...attachments, ...attachments.map((each) => `${each}/info`)]) {
      expectProblem(await read(path), 409, 'ASSET_AMBIGUOUS', 'tenant_identity');
      // The blob itself isn't on the ledger.
      const status = found.includes(path) ? 200 : 404;
      expect([path, (await read(path, THIRD.identity)).status]).to.eql([path, status]);
    }
    const { body: events } = await read(`assets/${asset}/events`, THIRD.identity);
    expect(events.events.map(({ identity }: EventRecord) => identity)).to.eql([record.identity, creation.identity]);
    const ownersOf = async (named: string): Promise<Set<string>> => {
      const { body } = await read('assets/-/events', named);
      return new Set(body.events.map((event: EventResource) => event.contribution?.owner ?? event.tenant_identity));
    };
    expect(await ownersOf(THIRD.identity)).to.eql(new Set([THIRD.identity]));
    expect(await ownersOf(server.otherTenant.identity)).to.not.include(THIRD.identity);
    const nowhere = `tenant/${randomUUID()}`;
    expectProblem(await read(`assets/${asset}`, nowhere), 404, 'ASSET_NOT_FOUND');
    expectProblem(await read(record.identity, server.tenant.identity), 404, 'EVENT_NOT_FOUND');
    expect((await read(`assets/${asset}/events`, nowhere)).body.events).to.eql([]);
    for (const path of [`assets/${asset}:evidence`, `${record.identity}:evidence`])
      expectProblem(await read(path), 403, 'EVIDENCE_RESTRICTED');
  });

  it('is read by its sender, also beside an own asset', async () => {
    const { body } = await post(THIRD.identity);
    const { identity: tenantIdentity } = server.otherTenant;
    await server.ledger.mine({ tenantIdentity, record: creation });
    expect((await read(body.identity, THIRD.identity)).body).to.eql(body);
    for (const owner of [undefined, tenantIdentity, server.tenant.identity])
      expectProblem(await read(body.identity, owner), 404, 'EVENT_NOT_FOUND');
    for (const owner of [undefined, tenantIdentity])
      expect((await read(`assets/${asset}`, owner)).body.tenant_identity).to.equal(tenantIdentity);
    expect((await read(`assets/${asset}`, THIRD.identity)).body.tenant_identity).to.equal(THIRD.identity);
  });

  it('is not repeated for another owner under its Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'one' };
    const first = await post(server.tenant.identity, key);
    expect(first.status).to.equal(200);
    expect((await post(server.tenant.identity, key)).body).to.eql(first.body);
    expectProblem(await post(THIRD.identity, key), 409, 'IDEMPOTENCY_CONFLICT');
  });
});
