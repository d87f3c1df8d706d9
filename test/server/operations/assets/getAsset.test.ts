import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { aRecord, createAnAsset, createAnEvent } from '../../support/requests.ts';
import { useServer } from '../../support/useServer.ts';

const NO_ASSET = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';

describe('GET v2/assets/{uuid}', () => {
  const server = useServer();

  it('answers with the asset as its events left it, and the time of the answer', async () => {
    const assetUuid = await createAnAsset(server, { attributes: { a: 'first', b: 'kept' } });
    await createAnEvent(server, assetUuid, aRecord({ asset_attributes: { a: 'second' } }));
    server.clock.atMs += 1500;
    const { status, body } = await server.request('GET', `/svc/v2/assets/${assetUuid}`);
    expect(status).to.equal(200);
    expect(body.attributes).to.eql({ a: 'second', b: 'kept' });
    expect(body.at_time).to.equal(new Date(server.clock.atMs).toISOString());
  });

  it('accepts a UUID in either case', async () => {
    const assetUuid = await createAnAsset(server);
    const { body } = await server.request('GET', `/svc/v2/assets/${assetUuid.toUpperCase()}`);
    expect(body.identity).to.equal(`assets/${assetUuid}`);
  });

  it("answers 404 for a missing asset and for another tenant's alike", async () => {
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

  it('answers with the asset as it was at a time, and that time', async () => {
    const assetUuid = await createAnAsset(server, { attributes: { a: 'first' } });
    const createdMs = server.clock.atMs;
    server.clock.atMs += 1000;
    await createAnEvent(server, assetUuid, aRecord({ asset_attributes: { a: 'second' } }));
    server.clock.atMs += 1000;
    await createAnEvent(server, assetUuid, { behaviour: 'Builtin', operation: 'StopTracking' });
    server.clock.atMs += 1000;
    const readAt = async (text: string) => {
      const { status, body } = await server.request('GET', `/svc/v2/assets/${assetUuid}?at_time=${text}`);
      return [status, body.attributes?.a, body.tracked, body.at_time];
    };
    const at = (ms: number) => new Date(createdMs + ms).toISOString();
    expect(await readAt(at(0))).to.eql([200, 'first', 'TRACKED', at(0)]);
    expect(await readAt(at(999))).to.eql([200, 'first', 'TRACKED', at(999)]);
    expect(await readAt(at(1000))).to.eql([200, 'second', 'TRACKED', at(1000)]);
    expect(await readAt(at(2000))).to.eql([200, 'second', 'NOT_TRACKED', at(2000)]);
    const offset = new Date(createdMs + 3_600_000).toISOString().replace('Z', '%2B01:00');
    expect(await readAt(offset)).to.eql([200, 'first', 'TRACKED', at(0)]);
    expect(await readAt('9999-12-31T23:59:59.999Z')).to.eql([200, 'second', 'NOT_TRACKED', at(3000)]);
    for (const early of [at(-1), '0000-01-01T00:00:00Z']) expect((await readAt(early))[0]).to.equal(404);
  });

  it("answers 404 alike for another tenant's asset at a time", async () => {
    const assetUuid = await createAnAsset(server);
    server.clock.atMs += 1000;
    const query = `?at_time=${new Date(server.clock.atMs - 1).toISOString()}`;
    const path = `/svc/v2/assets/${assetUuid}${query}`;
    expect((await server.request('GET', path)).status).to.equal(200);
    expectProblem(await server.request('GET', path, { as: server.otherTenant.root }), 404, 'ASSET_NOT_FOUND');
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
