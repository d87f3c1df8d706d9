// The records that attributes name must exist: home locations and attached blobs.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { toBlobIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import { toPrincipal } from '../../../ledger/principal.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { aRecord, createALocation, createAnAsset } from '../support/requests.ts';
import { type RequestOptions, startTestServer, type TestServer } from '../support/testServer.ts';
import { useServer } from '../support/useServer.ts';

const HOME = 'arc_home_location_identity';

describe('arc_home_location_identity', () => {
  const server = useServer();
  let assetUuid: string;
  let home: string;
  let foreign: string;
  before(async () => {
    home = (await createALocation(server)).identity;
    foreign = (await createALocation(server, {}, { as: server.otherTenant.writer })).identity;
    assetUuid = await createAnAsset(server, { behaviours: ['RecordEvidence', 'LocationUpdate'] });
  });
  const create = (value: unknown) =>
    server.request('POST', '/svc/v2/assets', { json: { attributes: { [HOME]: value } } });
  const post = (json: unknown) => server.request('POST', `/svc/v2/assets/${assetUuid}/events`, { json });
  const setHome = (value: unknown) =>
    post({ behaviour: 'LocationUpdate', operation: 'SetHomeLocation', asset_attributes: { [HOME]: value } });

  it('may name a location of the tenant, at creation and in any event', async () => {
    expect((await create(home)).body.attributes[HOME]).to.equal(home);
    expect((await setHome(home)).status).to.equal(200);
    const { status } = await post(aRecord({ asset_attributes: { [HOME]: home } }));
    expect(status).to.equal(200);
    const { body } = await server.request('GET', `/svc/v2/assets/${assetUuid}`);
    expect(body.attributes[HOME]).to.equal(home);
  });

  it('may name a location that is not on the chain yet', async () => {
    const fresh = await startTestServer();
    fresh.ledger.isChainAway = true;
    const { identity } = await createALocation(fresh);
    await createAnAsset(fresh, { attributes: { [HOME]: identity } });
    await fresh.close();
  });

  it('may name no other location, and nothing is written', async () => {
    const written = server.ledger.records.length;
    const texts = [foreign, `locations/${randomUUID()}`, 'locations/x', 'here', `${home}/`, home.slice(10)];
    for (const value of [...texts, {}, [], { place: home }]) {
      expectProblem(await create(value), 400, 'LOCATION_UNKNOWN', `attributes/${HOME}`);
      const record = await post(aRecord({ asset_attributes: { [HOME]: value } }));
      expectProblem(record, 400, 'LOCATION_UNKNOWN', `asset_attributes/${HOME}`);
    }
    for (const value of texts) {
      expectProblem(await setHome(value), 400, 'LOCATION_UNKNOWN', `asset_attributes/${HOME}`);
    }
    expect(server.ledger.records).to.have.length(written);
  });

  it('may be empty', async () => {
    expect((await create('')).status).to.equal(200);
    for (const value of ['', {}, []]) {
      expectProblem(await setHome(value), 400, 'ASSET_ATTRIBUTE_MISSING', `asset_attributes/${HOME}`);
    }
  });

  it('has no meaning among the attributes of an event', async () => {
    expect((await post(aRecord({ event_attributes: { [HOME]: 'anywhere' } }))).status).to.equal(200);
  });
});

describe('Attach', () => {
  const SHA_256 = 'ab'.repeat(32);
  let server: TestServer;
  let assetUuid: string;
  let blob: string;
  let foreign: string;

  const mineBlob = async (tenantIdentity: string): Promise<string> => {
    const identity = toBlobIdentity(randomUUID());
    const record = {
      type: 'blob' as const,
      identity: toVersionIdentity(identity, randomUUID()),
      sha256: SHA_256,
      mime_type: 'text/plain',
      size: 3,
      timestamp_accepted: toTimestamp(0),
      principal_accepted: toPrincipal({ subject: 's' }),
    };
    await server.ledger.mine({ tenantIdentity, record });
    return identity;
  };

  beforeEach(async () => {
    server = await startTestServer();
    blob = await mineBlob(server.tenant.identity);
    foreign = await mineBlob(server.otherTenant.identity);
    assetUuid = await createAnAsset(server, { behaviours: ['Attachments'] });
  });
  afterEach(() => server.close());

  const item = (changes: object = {}) => ({
    arc_attachment_identity: blob,
    arc_display_name: 'photo',
    arc_hash_value: SHA_256,
    arc_hash_alg: 'SHA256',
    ...changes,
  });
  const attach = (items: unknown, options: RequestOptions = {}) =>
    server.request('POST', `/svc/v2/assets/${assetUuid}/events`, {
      json: {
        behaviour: 'Attachments',
        operation: 'Attach',
        event_attributes: { arc_append_attachments: items },
      },
      ...options,
    });

  it('shows all attachments of the asset after it, and the ones that it appended', async () => {
    const [one, two] = [item(), item({ arc_display_name: 'plan', arc_hash_alg: 'sha256', extra: 'kept' })];
    expect((await attach([one])).body.asset_attributes).to.eql({ arc_attachments: [one] });
    const { status, body } = await attach([two]);
    expect(status).to.equal(200);
    expect(body.event_attributes).to.eql({ arc_append_attachments: [two] });
    expect(body.asset_attributes).to.eql({ arc_attachments: [one, two] });
    expect((await server.request('GET', `/svc/v2/${body.identity}`)).body).to.eql(body);
    const asset = await server.request('GET', `/svc/v2/assets/${assetUuid}`);
    expect(asset.body.attributes.arc_attachments).to.eql([one, two]);
  });

  it('shows them even before it is on the chain', async () => {
    await attach([item()]);
    server.ledger.isChainAway = true;
    const { body } = await attach([item({ arc_display_name: 'plan' })]);
    expect(body.confirmation_status).to.equal('PENDING');
    expect(body.asset_attributes.arc_attachments).to.have.length(2);
  });

  it('repeats the first answer for the same Idempotency-Key, and appends once', async () => {
    const headers = { 'Idempotency-Key': 'photo-1' };
    const first = await attach([item()], { headers });
    await attach([item({ arc_display_name: 'plan' })]);
    const again = await attach([item()], { headers });
    expect([again.status, again.body]).to.eql([200, first.body]);
    const other = await attach([item({ arc_display_name: 'other' })], { headers });
    expectProblem(other, 409, 'IDEMPOTENCY_CONFLICT');
    expect(server.ledger.records).to.have.length(3);
  });

  it('refuses an item that describes no blob of the tenant, and writes nothing', async () => {
    const written = server.ledger.records.length;
    const list = 'event_attributes/arc_append_attachments';
    const refusals: [object, string][] = [
      [{ arc_attachment_identity: foreign }, `${list}/1`],
      [{ arc_attachment_identity: `blobs/${randomUUID()}` }, `${list}/1`],
      [{ arc_hash_value: 'cd'.repeat(32) }, `${list}/1`],
      [{ arc_hash_alg: 'MD5' }, `${list}/1`],
      [{ arc_attachment_identity: 'blobs/x' }, `${list}/1/arc_attachment_identity`],
      [{ arc_display_name: '' }, `${list}/1/arc_display_name`],
    ];
    for (const [changes, field] of refusals) {
      expectProblem(await attach([item(), item(changes)]), 400, 'ATTACHMENT_INVALID', field);
    }
    for (const items of [undefined, [], 'x', {}]) {
      expectProblem(await attach(items), 400, 'EVENT_ATTRIBUTE_MISSING', list);
    }
    expect(server.ledger.records).to.have.length(written);
  });

  it('accepts hash and algorithm in either case', async () => {
    const shouted = item({
      arc_hash_value: SHA_256.toUpperCase(),
      arc_attachment_identity: blob.toUpperCase().replace('BLOBS', 'blobs'),
    });
    expect((await attach([shouted])).body.asset_attributes.arc_attachments).to.eql([shouted]);
  });
});
