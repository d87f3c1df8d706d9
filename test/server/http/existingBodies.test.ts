// Bodies that existing clients send (decision 51): resources that they read, null for absent members, and additional
// members.
import { expect } from 'chai';
import { createAnApplication } from '../support/applications.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { aPolicy, aRecord, createALocation, createAnAsset, createAnEvent, createAPolicy } from '../support/requests.ts';
import { upload } from '../support/uploads.ts';
import { useServer } from '../support/useServer.ts';

const POLICIES: readonly Record<string, unknown>[] = [
  aPolicy(),
  {
    compliance_type: 'COMPLIANCE_CURRENT_OUTSTANDING',
    event_display_type: 'Open',
    closing_event_display_type: 'Close',
  },
  {
    compliance_type: 'COMPLIANCE_DYNAMIC_TOLERANCE',
    event_display_type: 'Open',
    closing_event_display_type: 'Close',
    dynamic_window: 86400,
    dynamic_variability: 1.5,
  },
  { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['rad<7'] }] },
];

const withoutIdentity = ({ identity: _, ...rest }: Record<string, unknown>) => rest;

describe('bodies of existing clients', () => {
  const server = useServer();
  let assetUuid: string;
  before(async () => {
    assetUuid = await createAnAsset(server, { attributes: { a: 'b' } });
  });

  const read = async (path: string, as = server.tenant.root) => (await server.request('GET', path, { as })).body;
  const send = (method: string, path: string, json: unknown) =>
    server.request(method, path, { as: server.tenant.root, json });

  it('may be an asset that was read', async () => {
    const asset = await read(`/svc/v2/assets/${assetUuid}`);
    const { status, body } = await send('POST', '/svc/v2/assets', asset);
    expect(status).to.equal(200);
    expect(body.identity).not.to.equal(asset.identity);
    expect(body).to.deep.include({ behaviours: asset.behaviours, attributes: asset.attributes });
  });

  it('may be a location that was read, to change it and to create another', async () => {
    const { identity } = await createALocation(server, { attributes: { phone: '1' } });
    const location = await read(`/svc/v2/${identity}`);
    const changed = await send('PATCH', `/svc/v2/${identity}`, { ...location, description: 'Gate 3' });
    expect([changed.status, changed.body]).to.eql([200, { ...location, description: 'Gate 3' }]);
    const created = await send('POST', '/svc/v2/locations', { ...location, attachments: [] });
    expect(created.status).to.equal(200);
    expect(withoutIdentity(created.body)).to.eql(withoutIdentity(location));
    expect(created.body.identity).not.to.equal(identity);
  });

  for (const policy of POLICIES) {
    it(`may be a policy that was read: ${policy.compliance_type}`, async () => {
      const { identity } = await createAPolicy(server, policy);
      const stored = await read(`/svc/v1/${identity}`);
      const { status, body } = await send('POST', '/svc/v1/compliance_policies', stored);
      expect(status).to.equal(200);
      expect(withoutIdentity(body)).to.eql(withoutIdentity(stored));
      expect(body.identity).not.to.equal(identity);
    });
  }

  it('may be an application that was read, to change it and to create another', async () => {
    const { identity } = await createAnApplication(server, { roles: ['reader'], custom_claims: { serial: '1' } });
    const application = await read(`/svc/iam/v1/${identity}`);
    const changed = await send('PATCH', `/svc/iam/v1/${identity}`, { ...application, display_name: 'Gate 4' });
    expect([changed.status, changed.body]).to.eql([200, { ...application, display_name: 'Gate 4' }]);
    const { status, body } = await send('POST', '/svc/iam/v1/applications', application);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ display_name: 'Gate', roles: ['reader'], custom_claims: { serial: '1' } });
    expect(body.client_id).not.to.equal(application.client_id);
  });

  it('may be the root principals that were read', async () => {
    const path = '/svc/v1/tenancies/root_principals';
    const list = await read(path);
    const [{ issuer, subject }] = list.root_principals;
    const nulls = [{ issuer, subject, display_name: 'Root', email: null }];
    expect((await send('PATCH', path, { root_principals: nulls })).body).to.eql(list);
    expect((await send('PATCH', path, list)).body).to.eql(list);
  });

  it('may be an event that was read, with members that clients add', async () => {
    const event = await createAnEvent(server, assetUuid, aRecord({ event_attributes: { c: 'd' } }));
    const added = { trails: [], attachments: [], location: { x: null }, attributes: {} };
    const { status, body } = await send('POST', `/svc/v2/assets/${assetUuid}/events`, { ...event, ...added });
    expect(status).to.equal(200);
    expect(body.identity).not.to.equal(event.identity);
    expect(body.event_attributes).to.eql({ c: 'd' });
    expect(body.principal_declared).to.eql(event.principal_declared);
    expect(body.principal_accepted.subject).to.equal(server.tenant.root.subject);
  });

  const OPERATIONS: readonly Record<string, unknown>[] = [
    { behaviour: 'Builtin', operation: 'StopTracking' },
    { behaviour: 'Builtin', operation: 'StartTracking' },
    { behaviour: 'Builtin', operation: 'Add', event_attributes: { arc_behaviour_name: 'Firmware' } },
    { behaviour: 'Builtin', operation: 'Remove', event_attributes: { arc_behaviour_name: 'Firmware' } },
    { behaviour: 'RecordEvidence', operation: 'Record', asset_attributes: { arc_attachments: [{ a: 'b' }] } },
    { behaviour: 'Attachments', operation: 'Attach' },
    { behaviour: 'Firmware', operation: 'Update', asset_attributes: { arc_firmware_version: '2.0' } },
    { behaviour: 'Firmware', operation: 'UpdateRequired' },
    { behaviour: 'Firmware', operation: 'Vulnerability' },
    { behaviour: 'Maintenance', operation: 'Maintenance' },
    { behaviour: 'Maintenance', operation: 'MaintenanceRequired' },
    { behaviour: 'LocationUpdate', operation: 'SetHomeLocation' },
  ];
  const BEHAVIOURS = ['RecordEvidence', 'Attachments', 'Firmware', 'Maintenance', 'LocationUpdate'];

  const createAttachment = async () => {
    const { identity, hash } = (await upload(server, 'photo')).body;
    return {
      arc_attachment_identity: identity,
      arc_display_name: 'photo',
      arc_hash_value: hash.value,
      arc_hash_alg: 'SHA256',
    };
  };

  /** The body of an operation, with all attributes that an operation can require. */
  const completeBody = async (operation: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const event_attributes: Record<string, unknown> = { arc_description: 'as planned' };
    const asset_attributes: Record<string, unknown> = {};
    if (operation.operation === 'Attach') event_attributes.arc_append_attachments = [await createAttachment()];
    if (operation.operation === 'SetHomeLocation') {
      asset_attributes.arc_home_location_identity = (await createALocation(server)).identity;
    }
    return {
      ...operation,
      event_attributes: { ...event_attributes, ...(operation.event_attributes as object) },
      asset_attributes: { ...asset_attributes, ...(operation.asset_attributes as object) },
    };
  };

  for (const operation of OPERATIONS) {
    it(`may be an event that was read: ${operation.behaviour} ${operation.operation}`, async () => {
      const uuid = await createAnAsset(server, { behaviours: BEHAVIOURS });
      const sent = await completeBody(operation);
      const { identity } = await createAnEvent(server, uuid, sent);
      const event = await read(`/svc/v2/${identity}`);
      const { status, body } = await send('POST', `/svc/v2/assets/${uuid}/events`, event);
      expect(status).to.equal(200);
      expect(body.identity).not.to.equal(event.identity);
      expect(body).to.deep.include({ ...operation, event_attributes: event.event_attributes });
    });
  }

  it('may be an Attach with any list of attachments, which is ignored', async () => {
    const uuid = await createAnAsset(server, { behaviours: BEHAVIOURS });
    const attach = await completeBody({ behaviour: 'Attachments', operation: 'Attach' });
    const [item] = (attach.event_attributes as { arc_append_attachments: unknown[] }).arc_append_attachments;
    const headers = { 'idempotency-key': 'attach' };
    const path = `/svc/v2/assets/${uuid}/events`;
    const first = await server.request('POST', path, { json: attach, headers });
    expect(first.body.asset_attributes).to.eql({ arc_attachments: [item] });
    const again = await server.request('POST', path, { json: first.body, headers });
    expect([again.status, again.body]).to.eql([200, first.body]);
    for (const arc_attachments of [[], '', [{ a: 'b' }], first.body.asset_attributes.arc_attachments]) {
      const json = { ...attach, asset_attributes: { arc_attachments, colour: 'red' } };
      expect((await server.request('POST', path, { json })).status).to.equal(200);
    }
    const { attributes } = await read(`/svc/v2/assets/${uuid}`);
    expect(attributes).to.eql({ arc_attachments: [item, item, item, item, item], colour: 'red' });
  });

  it('cannot be the event that created an asset', async () => {
    const { events } = await read(`/svc/v2/assets/${assetUuid}/events?operation=NewAsset`);
    const { length, 0: creation } = events;
    expect(length).to.equal(1);
    const answer = await send('POST', `/svc/v2/assets/${assetUuid}/events`, creation);
    expectProblem(answer, 400, 'OPERATION_UNKNOWN', 'operation');
  });

  it('may have null for absent members', async () => {
    const nulls = { behaviours: null, attributes: null, public: null, proof_mechanism: null, chain_id: null };
    const asset = await send('POST', '/svc/v2/assets', nulls);
    expect(asset.body).to.deep.include({ attributes: {}, public: false, proof_mechanism: 'KHIPU' });
    const declared = { issuer: null, subject: 'bob', display_name: null, email: null };
    const absent = { event_attributes: null, asset_attributes: null, timestamp_declared: null };
    for (const principal_declared of [null, declared]) {
      const json = aRecord({ ...absent, principal_declared });
      const { status, body } = await send('POST', `/svc/v2/assets/${assetUuid}/events`, json);
      expect(status).to.equal(200);
      expect(body.timestamp_declared).to.equal(body.timestamp_accepted);
      const subject = principal_declared === null ? server.tenant.root.subject : 'bob';
      expect(body.principal_declared.subject).to.equal(subject);
    }
    const policy = aPolicy({ display_name: null, asset_filter: null, dynamic_window: null, dynamic_variability: null });
    expect((await send('POST', '/svc/v1/compliance_policies', policy)).status).to.equal(200);
    const { identity } = await createALocation(server, { description: null, attributes: null });
    const changes = { display_name: null, description: null, latitude: null, longitude: null, attributes: null };
    expect((await send('PATCH', `/svc/v2/${identity}`, changes)).body).to.include({ identity, display_name: 'Depot' });
    const application = await createAnApplication(server, { roles: null, custom_claims: null });
    expect(application.roles).to.eql(['writer', 'policies']);
  });

  it('with the same Idempotency-Key are the same request with and without ignored members', async () => {
    const headers = { 'idempotency-key': 'one' };
    const first = await server.request('POST', '/svc/v2/assets', { json: { attributes: {} }, headers });
    const json = { identity: 'assets/1', attributes: null, owner: 7 };
    expect((await server.request('POST', '/svc/v2/assets', { json, headers })).body).to.eql(first.body);
  });

  it('are refused with null as an attribute, and with unknown members', async () => {
    const attribute = await send('POST', '/svc/v2/assets', { attributes: { a: null } });
    expectProblem(attribute, 400, 'ATTRIBUTE_INVALID', 'attributes/a');
    const location = await send('POST', '/svc/v2/locations', { display_name: 'x', latitude: null, longitude: 1 });
    expectProblem(location, 400, 'REQUEST_INVALID', 'latitude');
    const own = await send('POST', '/svc/v2/assets', { owners: 'x' });
    expectProblem(own, 400, 'REQUEST_INVALID', 'owners');
    const nothing = await send('POST', '/svc/v2/assets', { owners: null });
    expectProblem(nothing, 400, 'REQUEST_INVALID', 'owners');
    const principal = await send(
      'POST',
      `/svc/v2/assets/${assetUuid}/events`,
      aRecord({ principal_declared: { x: null } }),
    );
    expectProblem(principal, 400, 'REQUEST_INVALID', 'principal_declared/x');
  });
});
