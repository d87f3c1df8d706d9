import { expect } from 'chai';
import { toBlockTimestamp } from '../../../../ledger/encoding/timestamp.ts';
import { toRecordLog, toWord } from '../../../support/recordLogs.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { OWNER } from '../../support/fakeLedger.ts';
import { aRecord, createAnAsset, createAnEvent } from '../../support/requests.ts';
import { useServer } from '../../support/useServer.ts';

const NO_ASSET = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';

describe('POST v2/assets/{asset_uuid}/events', () => {
  const server = useServer();
  let assetUuid: string;
  before(async () => {
    assetUuid = await createAnAsset(server);
  });
  const post = (json: unknown) => server.request('POST', `/svc/v2/assets/${assetUuid}/events`, { json });
  const addBehaviour = (name: unknown) =>
    post({ behaviour: 'Builtin', operation: 'Add', event_attributes: { arc_behaviour_name: name } });

  it('answers with the complete event once it is committed', async () => {
    const { status, body } = await post({
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes: { arc_description: 'greased' },
      asset_attributes: { last: 'today' },
      timestamp_declared: '2026-11-20T11:00:00.5+01:00',
      principal_declared: { issuer: 'idp', subject: 'bob' },
    });
    expect(status).to.equal(200);
    expect(body.block_number).to.be.greaterThan(0);
    const record = server.ledger.records.at(-1)!;
    expect(body).to.eql({
      identity: body.identity,
      asset_identity: `assets/${assetUuid}`,
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes: { arc_description: 'greased' },
      asset_attributes: { last: 'today' },
      asset_settings: {},
      timestamp_accepted: '2026-11-20T10:15:30.123Z',
      timestamp_declared: '2026-11-20T10:00:00.500Z',
      timestamp_committed: toBlockTimestamp(toRecordLog({ record }, body.block_number).blockTimestampSeconds),
      principal_declared: { issuer: 'idp', subject: 'bob', display_name: '', email: '' },
      principal_accepted: {
        issuer: server.tokens.issuer,
        subject: server.tenant.writer.subject,
        display_name: server.tenant.writer.name,
        email: '',
      },
      confirmation_status: 'CONFIRMED',
      block_number: body.block_number,
      transaction_index: 0,
      log_index: 0,
      transaction_id: toWord(body.block_number),
      from: OWNER,
      tenant_identity: server.tenant.identity,
    });
  });

  it('declares the accepted time and principal when the client declares none', async () => {
    const { body } = await post(aRecord());
    expect(body.timestamp_declared).to.equal(body.timestamp_accepted);
    expect(body.principal_declared).to.eql(body.principal_accepted);
    expect(body).to.deep.include({ event_attributes: {}, asset_attributes: {} });
  });

  it('shows the root principal that a root token names', async () => {
    const options = { json: aRecord(), as: server.tenant.root };
    const { body } = await server.request('POST', `/svc/v2/assets/${assetUuid}/events`, options);
    const tenant = await server.ledger.view.readTenant(server.tenant.identity);
    expect(body.principal_accepted).to.eql(tenant!.root_principals[0]);
  });

  it('adds and removes behaviours', async () => {
    const vulnerability = {
      behaviour: 'Firmware',
      operation: 'Vulnerability',
      event_attributes: { arc_description: 'CVE-2026-1' },
    };
    expectProblem(await post(vulnerability), 400, 'BEHAVIOUR_NOT_LISTED', 'behaviour');
    expect((await addBehaviour('Firmware')).status).to.equal(200);
    const { body } = await server.request('GET', `/svc/v2/assets/${assetUuid}`);
    expect(body.behaviours).to.include('Firmware');
    expect((await post(vulnerability)).status).to.equal(200);
    const remove = { behaviour: 'Builtin', operation: 'Remove', event_attributes: { arc_behaviour_name: 'Firmware' } };
    expect((await post(remove)).status).to.equal(200);
    expect((await server.request('GET', `/svc/v2/assets/${assetUuid}`)).body.behaviours).not.to.include('Firmware');
  });

  it('stops and starts tracking', async () => {
    await createAnEvent(server, assetUuid, { behaviour: 'Builtin', operation: 'StopTracking' });
    const stopped = await server.request('GET', `/svc/v2/assets/${assetUuid}`);
    expect(stopped.body.tracked).to.equal('NOT_TRACKED');
    await createAnEvent(server, assetUuid, { behaviour: 'Builtin', operation: 'StartTracking' });
    expect((await server.request('GET', `/svc/v2/assets/${assetUuid}`)).body.tracked).to.equal('TRACKED');
  });

  const refusals: [string, object, string, string][] = [
    ['an unknown behaviour', aRecord({ behaviour: 'Teleport' }), 'BEHAVIOUR_UNKNOWN', 'behaviour'],
    ['an inherited name as a behaviour', aRecord({ behaviour: 'toString' }), 'BEHAVIOUR_UNKNOWN', 'behaviour'],
    ['an unknown operation', aRecord({ operation: 'Forget' }), 'OPERATION_UNKNOWN', 'operation'],
    [
      'the operation that creates assets',
      { behaviour: 'AssetCreator', operation: 'NewAsset' },
      'OPERATION_UNKNOWN',
      'operation',
    ],
    [
      'Add without a name',
      { behaviour: 'Builtin', operation: 'Add' },
      'EVENT_ATTRIBUTE_MISSING',
      'event_attributes/arc_behaviour_name',
    ],
    [
      'Add of an empty name',
      { behaviour: 'Builtin', operation: 'Add', event_attributes: { arc_behaviour_name: '' } },
      'EVENT_ATTRIBUTE_MISSING',
      'event_attributes/arc_behaviour_name',
    ],
    [
      'Add of a map',
      { behaviour: 'Builtin', operation: 'Add', event_attributes: { arc_behaviour_name: {} } },
      'EVENT_ATTRIBUTE_MISSING',
      'event_attributes/arc_behaviour_name',
    ],
    [
      'Add of an unknown behaviour',
      { behaviour: 'Builtin', operation: 'Add', event_attributes: { arc_behaviour_name: 'X' } },
      'BEHAVIOUR_UNKNOWN',
      'event_attributes/arc_behaviour_name',
    ],
    [
      'Remove of Builtin',
      { behaviour: 'Builtin', operation: 'Remove', event_attributes: { arc_behaviour_name: 'Builtin' } },
      'BEHAVIOUR_NOT_REMOVABLE',
      'event_attributes/arc_behaviour_name',
    ],
    [
      'a timestamp that is none',
      aRecord({ timestamp_declared: '2026-02-30T00:00:00Z' }),
      'TIMESTAMP_INVALID',
      'timestamp_declared',
    ],
    ['an empty timestamp', aRecord({ timestamp_declared: '' }), 'TIMESTAMP_INVALID', 'timestamp_declared'],
  ];
  for (const [title, json, error, field] of refusals) {
    it(`refuses ${title} and writes nothing`, async () => {
      const before = server.ledger.records.length;
      expectProblem(await post(json), 400, error as never, field);
      expect(server.ledger.records.length).to.equal(before);
    });
  }

  it('refuses a behaviour that the asset does not list', async () => {
    const other = await createAnAsset(server, { behaviours: [] });
    const answer = await server.request('POST', `/svc/v2/assets/${other}/events`, { json: aRecord() });
    expectProblem(answer, 400, 'BEHAVIOUR_NOT_LISTED', 'behaviour');
  });

  it("answers 404 for a missing asset and for another tenant's alike, and writes nothing", async () => {
    const before = server.ledger.records.length;
    const missing = await server.request('POST', `/svc/v2/assets/${NO_ASSET}/events`, { json: aRecord() });
    const options = { json: aRecord(), as: server.otherTenant.writer };
    const foreign = await server.request('POST', `/svc/v2/assets/${assetUuid}/events`, options);
    expectProblem(missing, 404, 'ASSET_NOT_FOUND');
    expect([foreign.status, foreign.body]).to.eql([404, missing.body]);
    expect(server.ledger.records.length).to.equal(before);
  });

  it('refuses `-`, which names no asset', async () => {
    const answer = await server.request('POST', '/svc/v2/assets/-/events', { json: aRecord() });
    expectProblem(answer, 400, 'IDENTITY_INVALID', 'asset_uuid');
  });
});
