// Events that an application without a role records on assets of its own tenant, by access policies.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AccessPermission } from '../../../../ledger/records/accessPolicy.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aRecord, createAnAsset } from '../../support/requests.ts';
import { introduce, permit } from '../../support/sharing.ts';
import { upload } from '../../support/uploads.ts';
import { useServer } from '../../support/useServer.ts';

const MEASURE = aRecord({ event_attributes: { arc_display_type: 'Measure' }, asset_attributes: { weight: '8' } });

describe('POST v2/assets/{asset_uuid}/events of a caller without a role', () => {
  const server = useServer();
  let asset: string;
  let end: () => Promise<void>;
  const writing = (): Partial<AccessPermission> => ({
    user_attributes: [{ or: [`subject=${server.tenant.roleless.subject}`] }],
    behaviours: ['RecordEvidence', 'Attachments'],
    event_arc_display_type_write: ['Measure'],
    asset_attributes_write: ['weight'],
  });
  beforeEach(async () => {
    asset = await createAnAsset(server, {
      attributes: { colour: 'red' },
      behaviours: ['RecordEvidence', 'Attachments'],
    });
    end = await permit(server, server.tenant, writing(), [{ or: ['attributes.colour=red'] }]);
  });
  afterEach(() => end());

  const post = (json: unknown, of = asset, headers: Record<string, string> = {}) =>
    server.request('POST', `/svc/v2/assets/${of}/events`, { as: server.tenant.roleless, json, headers });
  const countRecords = () => server.ledger.records.length;

  it('records an ordinary event of the tenant, and gives no right to read', async () => {
    const { status, body } = await post(MEASURE);
    expect([status, body.tenant_identity, 'contribution' in body]).to.eql([200, server.tenant.identity, false]);
    expect(body.principal_accepted.subject).to.equal(server.tenant.roleless.subject);
    expect(server.ledger.records.at(-1)).to.include({ type: 'event', identity: body.identity });
    expect((await server.request('GET', `/svc/v2/${body.identity}`)).body).to.eql(body);
    const read = await server.request('GET', `/svc/v2/assets/${asset}`, { as: server.tenant.roleless });
    expectProblem(read, 404, 'ASSET_NOT_FOUND');
  });

  it('refuses what no permission names, with the field, and records nothing', async () => {
    const count = countRecords();
    for (const [changes, field] of [
      [{ behaviour: 'Builtin', operation: 'StopTracking' }, 'behaviour'],
      [{ event_attributes: {} }, 'event_attributes/arc_display_type'],
      [{ asset_attributes: { colour: 'blue' } }, 'asset_attributes/colour'],
    ] as const)
      expectProblem(await post({ ...MEASURE, ...changes }), 403, 'CONTRIBUTION_FORBIDDEN', field);
    expect(countRecords()).to.equal(count);
  });

  it('answers as without the asset where no policy is about it', async () => {
    const none = await post(MEASURE, randomUUID());
    expectProblem(none, 404, 'ASSET_NOT_FOUND');
    const green = await createAnAsset(server, { attributes: { colour: 'green' } });
    expect((await post(MEASURE, green)).body).to.eql(none.body);
    await end();
    expect((await post(MEASURE)).body).to.eql(none.body);
    expect((await post({}, green)).status).to.equal(400);
  });

  it("reaches no asset of another tenant, whatever that shares with the caller's", async () => {
    const subject = await introduce(server, server.otherTenant, server.tenant);
    const others = await createAnAsset(server, {}, { as: server.otherTenant.writer });
    const all = { behaviours: ['*'], event_arc_display_type_write: ['*'], asset_attributes_write: ['*'] };
    const revoke = await permit(server, server.otherTenant, { ...all, subjects: [subject] });
    expectProblem(await post(MEASURE, others), 404, 'ASSET_NOT_FOUND');
    await revoke();
  });

  it('shows no attachments of the asset, also to a repeated request', async () => {
    const { body: blob } = await upload(server, 'a photo', 'text/plain');
    const item = {
      arc_attachment_identity: blob.identity,
      arc_display_name: 'photo',
      arc_hash_value: blob.hash.value,
      arc_hash_alg: 'SHA256',
    };
    const attach = aRecord({
      behaviour: 'Attachments',
      operation: 'Attach',
      event_attributes: { arc_display_type: 'Measure', arc_append_attachments: [item] },
    });
    const key = { 'Idempotency-Key': 'attach' };
    const first = await post(attach, asset, key);
    expect([first.status, first.body.asset_attributes]).to.eql([200, {}]);
    expect((await post(attach, asset, key)).body).to.eql(first.body);
  });

  it('is refused to a reader, whose role decides', async () => {
    const as = server.tenant.reader;
    expectProblem(
      await server.request('POST', `/svc/v2/assets/${asset}/events`, { as, json: MEASURE }),
      403,
      'FORBIDDEN',
    );
  });
});
