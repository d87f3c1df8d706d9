// Events that a client records on an asset of another tenant, through the API.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AccessPermission, AccessPolicyRecord } from '../../../../ledger/records/accessPolicy.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aRecord, createAnAsset } from '../../support/requests.ts';
import { introduce, permit } from '../../support/sharing.ts';
import type { RequestOptions } from '../../support/testServer.ts';
import { upload } from '../../support/uploads.ts';
import { useServer } from '../../support/useServer.ts';

const WRITING: Partial<AccessPermission> = {
  behaviours: ['RecordEvidence', 'Attachments', 'LocationUpdate'],
  asset_attributes_write: ['weight', 'arc_home_location_identity'],
  event_arc_display_type_write: ['Measure'],
};
const MEASURE = aRecord({ event_attributes: { arc_display_type: 'Measure' }, asset_attributes: { weight: '8' } });

describe("POST v2/assets/{asset_uuid}/events on another tenant's asset", () => {
  const server = useServer();
  let subject: string;
  let asset: string;
  before(async () => {
    subject = await introduce(server, server.tenant, server.otherTenant);
  });

  const revoke: (() => Promise<void>)[] = [];
  const share = async (
    permission: object,
    filters: AccessPolicyRecord['filters'] = [],
  ): Promise<() => Promise<void>> => {
    const end = await permit(server, server.tenant, { subjects: [subject], ...permission }, filters);
    revoke.push(end);
    return end;
  };
  beforeEach(async () => {
    asset = await createAnAsset(server, {
      attributes: { colour: 'red', weight: '7' },
      behaviours: ['RecordEvidence', 'Attachments', 'LocationUpdate'],
    });
  });
  afterEach(async () => {
    server.ledger.beforeAppend = async () => {};
    for (const end of revoke.splice(0)) await end();
  });

  const send = (method: string, path: string, options: RequestOptions = {}) =>
    server.request(method, `/svc/v2/${path}`, { as: server.otherTenant.writer, ...options });
  const post = (json: unknown, headers: Record<string, string> = {}, of = asset) =>
    send('POST', `assets/${of}/events`, { json, headers });
  const asOwner = (path: string) => send('GET', path, { as: server.tenant.reader });
  const countRecords = () => server.ledger.records.length;

  it('records an event of the asset, in the name of the tenant that sends it', async () => {
    await share(WRITING);
    const { status, body } = await post(MEASURE);
    expect([status, body.tenant_identity, body.confirmation_status]).to.eql([
      200,
      server.otherTenant.identity,
      'CONFIRMED',
    ]);
    const record = server.ledger.records.at(-1)!;
    expect(body.contribution).to.eql({
      owner: server.tenant.identity,
      timestamp_accepted: record.timestamp_accepted,
    });
    expect(Date.parse(body.timestamp_accepted)).to.equal(Date.parse(body.timestamp_committed));
    expect(record).to.include({ type: 'contribution', identity: `${server.tenant.identity}/${body.identity}` });
    expect((await send('GET', body.identity)).body).to.eql(body);
    expect((await asOwner(body.identity)).body).to.eql(body);
    expect((await asOwner(`assets/${asset}/events`)).body.events[0]).to.eql(body);
    expect((await asOwner(`assets/${asset}`)).body.attributes).to.eql({ colour: 'red', weight: '8' });
    // It may write the asset, and read nothing of it.
    expect((await send('GET', `assets/${asset}`)).status).to.equal(404);
  });

  it('records it once for an Idempotency-Key, and refuses another request with the key', async () => {
    await share(WRITING);
    const key = { 'Idempotency-Key': 'once' };
    const first = await post(MEASURE, key);
    const count = countRecords();
    const again = await post(MEASURE, key);
    expect([again.status, again.body, countRecords()]).to.eql([200, first.body, count]);
    expectProblem(await post({ ...MEASURE, asset_attributes: {} }, key), 409, 'IDEMPOTENCY_CONFLICT');
  });

  it('refuses what no permission names, and records nothing of it', async () => {
    await share(WRITING);
    await share({ ...WRITING, asset_attributes_write: [], event_arc_display_type_write: ['Count'] });
    const count = countRecords();
    for (const [changes, field] of [
      [{ behaviour: 'Builtin', operation: 'StopTracking' }, 'behaviour'],
      [{ event_attributes: {} }, 'event_attributes/arc_display_type'],
      [{ event_attributes: { arc_display_type: 'Secret' } }, 'event_attributes/arc_display_type'],
      [{ asset_attributes: { weight: '8', colour: 'blue' } }, 'asset_attributes/colour'],
      [{ asset_attributes: { 'm/n~o': '8' } }, 'asset_attributes/m~1n~0o'],
      // One permission names the type, another one the attribute.
      [{ event_attributes: { arc_display_type: 'Count' } }, 'behaviour'],
    ] as const) {
      expectProblem(await post({ ...MEASURE, ...changes }), 403, 'CONTRIBUTION_FORBIDDEN', field);
    }
    expect(countRecords()).to.equal(count);
  });

  it('refuses any event where the caller may only read', async () => {
    await share({ asset_attributes_read: ['colour'] });
    expectProblem(await post(MEASURE), 403, 'CONTRIBUTION_FORBIDDEN', 'behaviour');
  });

  it('answers 404 where the caller may neither see nor write the asset, exactly as if there were none', async () => {
    const none = await post(MEASURE, {}, randomUUID());
    expectProblem(none, 404, 'ASSET_NOT_FOUND');
    const expectNone = async (): Promise<void> => {
      const { status, body } = await post(MEASURE);
      expect([status, body]).to.eql([404, none.body]);
    };
    await expectNone();
    await share(WRITING, [{ or: ['attributes.colour=blue'] }]);
    await expectNone();
    const end = await share(WRITING);
    await end();
    revoke.pop();
    await expectNone();
  });

  it('looks at the claims of the caller', async () => {
    const { subject: clientId } = server.otherTenant.writer;
    await share({ ...WRITING, user_attributes: [{ or: ['subject=somebody'] }] });
    expect((await post(MEASURE)).status).to.equal(404);
    await share({ ...WRITING, user_attributes: [{ or: [`subject=${clientId}`] }] });
    expect((await post(MEASURE)).status).to.equal(200);
  });

  it('requires the right of a writer, and an event that the asset accepts', async () => {
    await share(WRITING);
    const readers = { as: server.otherTenant.reader, json: MEASURE };
    expectProblem(await send('POST', `assets/${asset}/events`, readers), 403, 'FORBIDDEN');
    expectProblem(await post({ ...MEASURE, operation: 'Play' }), 400, 'OPERATION_UNKNOWN', 'operation');
    expectProblem(
      await post({ ...MEASURE, timestamp_declared: '2026-13-01T00:00:00Z' }),
      400,
      'TIMESTAMP_INVALID',
      'timestamp_declared',
    );
    const attributes = { arc_home_location_identity: `locations/${randomUUID()}` };
    expectProblem(await post({ ...MEASURE, asset_attributes: attributes }), 400, 'LOCATION_UNKNOWN');
    const unlisted = await createAnAsset(server, { behaviours: ['RecordEvidence'] });
    const attach = { ...MEASURE, behaviour: 'Attachments', operation: 'Attach', asset_attributes: {} };
    expectProblem(await post(attach, {}, unlisted), 400, 'BEHAVIOUR_NOT_LISTED', 'behaviour');
  });

  it('says when the event was recorded and is none of the asset, also to a repeated request', async () => {
    const end = await share(WRITING);
    revoke.pop();
    server.ledger.beforeAppend = async ({ type }) => {
      if (type === 'contribution') await end();
    };
    const key = { 'Idempotency-Key': 'late' };
    expectProblem(await post(MEASURE, key), 409, 'CONTRIBUTION_WITHOUT_EFFECT');
    const record = server.ledger.records.at(-1)!;
    expect(record.type).to.equal('contribution');
    server.ledger.beforeAppend = async () => {};
    expectProblem(await post(MEASURE, key), 409, 'CONTRIBUTION_WITHOUT_EFFECT');
    const identity = record.identity.slice(record.identity.indexOf('assets/'));
    for (const as of [server.tenant.reader, server.otherTenant.reader])
      expectProblem(await send('GET', identity, { as }), 404, 'EVENT_NOT_FOUND');
    expect((await asOwner(`assets/${asset}`)).body.attributes).to.eql({ colour: 'red', weight: '7' });
  });

  it("attaches the sender's files, which all who see the asset or the event get, and no file of the owner", async () => {
    await share({ ...WRITING, event_arc_display_type_write: ['*'], asset_attributes_write: ['*'] });
    const { body: blob } = await upload(server, 'a photo', 'text/plain', { as: server.otherTenant.writer });
    const uuid = blob.identity.slice('blobs/'.length);
    const photo = { arc_attribute_type: 'arc_attachment', arc_blob_identity: blob.identity };
    const item = {
      arc_attachment_identity: blob.identity,
      arc_display_name: 'photo',
      arc_hash_value: blob.hash.value,
      arc_hash_alg: 'SHA256',
    };
    const attach = {
      behaviour: 'Attachments',
      operation: 'Attach',
      event_attributes: { arc_append_attachments: [item] },
    };
    const { body: attached } = await post(attach);
    const { body: set } = await post(aRecord({ asset_attributes: { photo } }));
    expect((await asOwner(attached.identity)).body.asset_attributes.arc_attachments).to.eql([item]);
    for (const path of [`assets/${asset}`, attached.identity, set.identity]) {
      const { status, headers } = await asOwner(`attachments/${path}/${uuid}`);
      expect([path, status, headers.get('content-length')]).to.eql([path, 200, '7']);
    }
    expect((await send('GET', `attachments/${attached.identity}/${uuid}`)).status).to.equal(200);
    const { body: secret } = await upload(server, 'a secret', 'text/plain', { as: server.tenant.writer });
    const count = countRecords();
    const answers = [secret.identity, `blobs/${randomUUID()}`].map(async (identity) => {
      const stolen = { ...photo, arc_blob_identity: identity };
      const own = [item, { ...item, arc_attachment_identity: identity }];
      for (const [json, field] of [
        [aRecord({ asset_attributes: { 'a/b~': stolen } }), 'asset_attributes/a~1b~0'],
        [aRecord({ event_attributes: { all: [photo, stolen] } }), 'event_attributes/all/1'],
        [aRecord({ asset_attributes: { arc_attachments: own } }), 'asset_attributes/arc_attachments/1'],
        [{ ...attach, event_attributes: { ...attach.event_attributes, stolen } }, 'event_attributes/stolen'],
      ] as const)
        expectProblem(await post(json), 400, 'ATTACHMENT_INVALID', field);
    });
    await Promise.all(answers);
    expect(countRecords()).to.equal(count);
  });

  it("tells no size of attributes that the sender can't read", async () => {
    await share({ ...WRITING, asset_attributes_write: ['*'] });
    const large = Array.from({ length: 15 }, () => ({ a: 'y'.repeat(4000) }));
    const set = (name: string) => post({ ...MEASURE, asset_attributes: { [name]: large } });
    for (const name of ['a', 'b', 'c', 'd']) expect((await set(name)).status).to.equal(200);
    const refused = await set('e');
    expectProblem(refused, 413, 'ASSET_TOO_LARGE', 'asset_attributes');
    expect(JSON.stringify(refused.body.details)).to.not.match(/[0-9]/);
  });

  // The last one: the chain stays away.
  it('shows its sender an event that waits for the chain, and nobody else', async () => {
    await share(WRITING);
    server.ledger.isChainAway = true;
    const { status, body } = await post(MEASURE, { 'Idempotency-Key': 'waits' });
    expect([status, body.confirmation_status]).to.eql([200, 'PENDING']);
    const record = server.ledger.records.at(-1)!;
    expect(body.timestamp_accepted).to.equal(record.timestamp_accepted);
    expect((await send('GET', body.identity)).body).to.eql(body);
    expect((await post(MEASURE, { 'Idempotency-Key': 'waits' })).body).to.eql(body);
    expectProblem(await asOwner(body.identity), 404, 'EVENT_NOT_FOUND');
    expect((await asOwner(`assets/${asset}`)).body.attributes).to.eql({ colour: 'red', weight: '7' });
    revoke.splice(0);
  });
});
