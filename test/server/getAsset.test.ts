import { expect } from 'chai';
import { expectProblem } from './support/expectProblem.ts';
import { aRecord, createAnAsset, createAnEvent } from './support/requests.ts';
import { startTestServer, type TestServer } from './support/testServer.ts';

const NO_ASSET = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';

describe('GET v2/assets/{uuid}', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it('answers with the asset as its events left it, and the time of the answer', async () => {
    const assetUuid = await createAnAsset(server, { attributes: { a: 'first', b: 'kept' } });
    await createAnEvent(server, assetUuid, aRecord({ asset_attributes: { a: 'second' } }));
    server.clock.atMs += 1500;
    const { status, body } = await server.request('GET', `/svc/v2/assets/${assetUuid}`);
    expect(status).to.equal(200);
    expect(body.attributes).to.eql({ a: 'second', b: 'kept' });
    expect(body.at_time).to.equal(new Date(server.clock.atMs).toISOString());
  });

  it('takes a UUID in either case', async () => {
    const assetUuid = await createAnAsset(server);
    const { body } = await server.request('GET', `/svc/v2/assets/${assetUuid.toUpperCase()}`);
    expect(body.identity).to.equal(`assets/${assetUuid}`);
  });

  it("answers 404 alike for a missing asset and for another tenant's", async () => {
    const assetUuid = await createAnAsset(server);
    const missing = await server.request('GET', `/svc/v2/assets/${NO_ASSET}`);
    const foreign = await server.request('GET', `/svc/v2/assets/${assetUuid}`, { as: server.otherTenant.root });
    expectProblem(missing, 404, 'ASSET_NOT_FOUND');
    expect(foreign.body).to.eql(missing.body);
    expect(foreign.status).to.equal(404);
  });

  it('refuses what is not a UUID', async () => {
    for (const path of ['1', `${NO_ASSET}0`, `${NO_ASSET.slice(1)}g`, '-', 'assets%2F1']) {
      expectProblem(await server.request('GET', `/svc/v2/assets/${path}`), 400, 'IDENTITY_INVALID', 'uuid');
    }
  });

  it('refuses a query parameter', async () => {
    const answer = await server.request('GET', `/svc/v2/assets/${NO_ASSET}?at-time=now`);
    expectProblem(answer, 400, 'REQUEST_INVALID', 'at-time');
  });

  it('answers HEAD like GET, without the body', async () => {
    const assetUuid = await createAnAsset(server);
    const { status, body } = await server.request('HEAD', `/svc/v2/assets/${assetUuid}`);
    expect(status).to.equal(200);
    expect(body).to.equal('');
  });
});
