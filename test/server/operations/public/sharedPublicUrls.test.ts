// Public URLs of records of another tenant: for callers that see the records, and for nobody else.
import { expect } from 'chai';
import { toTenantIdentity } from '../../../../ledger/identity.ts';
import { aCreation, aTenantRecord, uuidOf } from '../../../support/records.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aRecord, createAnAsset, createAnEvent } from '../../support/requests.ts';
import { introduce, permit } from '../../support/sharing.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

const THIRD = { identity: toTenantIdentity(uuidOf(900)) };
const typed = (type: string) => aRecord({ event_attributes: { arc_display_type: type } });
const PERMISSION = {
  asset_attributes_read: ['weight'],
  event_arc_display_type_read: ['Measure'],
  behaviours: ['RecordEvidence'],
  event_arc_display_type_write: ['Count'],
};

describe(':publicurl of what another tenant owns', () => {
  let server: TestServer;
  let shared: string;
  let measured: string;
  let moved: string;
  let end: () => Promise<void>;
  before(async () => {
    server = await startTestServer();
    shared = await createAnAsset(server, { public: true, behaviours: ['RecordEvidence'] });
    measured = (await createAnEvent(server, shared, typed('Measure'))).identity;
    moved = (await createAnEvent(server, shared, typed('Move'))).identity;
  });
  beforeEach(async () => {
    const subjects = [await introduce(server, server.tenant, server.otherTenant)];
    end = await permit(server, server.tenant, { ...PERMISSION, subjects });
  });
  afterEach(() => end());
  after(() => server.close());

  const send = (method: string, path: string, json?: object) =>
    server.request(method, `/svc/v2/${path}`, { as: server.otherTenant.writer, ...(json && { json }) });
  const urlOf = (path: string, query = '') => send('GET', `${path}:publicurl${query}`);
  const expectUrl = async (path: string, query = ''): Promise<void> => {
    const { status, body } = await urlOf(path, query);
    expect([status, body]).to.eql([200, { publicurl: `${server.url}/svc/v2/public${path}` }]);
    expect((await fetch(body.publicurl)).status).to.equal(200);
  };

  it('is the same for the caller that sees the asset or the event', async () => {
    for (const query of ['', `?tenant_identity=${server.tenant.identity}`]) {
      await expectUrl(`assets/${shared}`, query);
      await expectUrl(measured, query);
    }
    for (const path of [`assets/${shared}`, measured]) {
      const own = await server.request('GET', `/svc/v2/${path}:publicurl`);
      expect((await urlOf(path)).body).to.eql(own.body);
    }
  });

  it('is the one of an event that the caller contributed, also without a right to read it', async () => {
    const { status, body } = await send('POST', `assets/${shared}/events`, typed('Count'));
    expect(status).to.equal(200);
    await expectUrl(body.identity);
    await end();
    await expectUrl(body.identity);
  });

  it('is 404 for what the caller does not see, is not public or is not of the named owner', async () => {
    const hidden = await createAnAsset(server);
    const named = `?tenant_identity=${server.otherTenant.identity}`;
    expectProblem(await urlOf(moved), 404, 'EVENT_NOT_FOUND');
    expectProblem(await urlOf(`assets/${hidden}`), 404, 'ASSET_NOT_FOUND');
    expectProblem(await urlOf(`assets/${shared}`, named), 404, 'ASSET_NOT_FOUND');
    expectProblem(await urlOf(measured, named), 404, 'EVENT_NOT_FOUND');
    await end();
    expectProblem(await urlOf(`assets/${shared}`), 404, 'ASSET_NOT_FOUND');
    expectProblem(await urlOf(measured), 404, 'EVENT_NOT_FOUND');
  });

  it('is not that of another asset with the same UUID', async () => {
    const record = aCreation({ identity: `assets/${shared}/events/${uuidOf(1)}` });
    await server.ledger.mine({ tenantIdentity: THIRD.identity, record: aTenantRecord(THIRD.identity) });
    await server.ledger.mine({ tenantIdentity: THIRD.identity, record });
    const subjects = [await introduce(server, THIRD, server.otherTenant)];
    await permit(server, THIRD, { subjects, asset_attributes_read: ['*'] });
    expectProblem(await urlOf(`assets/${shared}`), 409, 'ASSET_AMBIGUOUS', 'tenant_identity');
    await expectUrl(`assets/${shared}`, `?tenant_identity=${server.tenant.identity}`);
    expectProblem(await urlOf(`assets/${shared}`, `?tenant_identity=${THIRD.identity}`), 404, 'ASSET_NOT_FOUND');
  });

  it('says of a private record that the caller sees that it is not public', async () => {
    const asset = await createAnAsset(server);
    const { identity } = await createAnEvent(server, asset);
    for (const [path, code] of [
      [`assets/${asset}`, 'ASSET_NOT_FOUND'],
      [identity, 'EVENT_NOT_FOUND'],
    ] as const) {
      expectProblem(await server.request('GET', `/svc/v2/${path}:publicurl`), 404, code, 'uuid');
    }
  });
});
