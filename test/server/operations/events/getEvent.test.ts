import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { createAnAsset, createAnEvent } from '../../support/requests.ts';
import { useServer } from '../../support/useServer.ts';

const NO_EVENT = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';

describe('GET v2/assets/{asset_uuid}/events/{uuid}', () => {
  const server = useServer();

  it('answers with the event as its creation answered', async () => {
    const event = await createAnEvent(server, await createAnAsset(server));
    const { status, body } = await server.request('GET', `/svc/v2/${event.identity}`);
    expect(status).to.equal(200);
    expect(body).to.eql(event);
  });

  it('accepts UUIDs in either case', async () => {
    const event = await createAnEvent(server, await createAnAsset(server));
    const [, assetUuid, , eventUuid] = event.identity.toUpperCase().split('/');
    const { body } = await server.request('GET', `/svc/v2/assets/${assetUuid}/events/${eventUuid}`);
    expect(body).to.eql(event);
  });

  it("answers 404 alike for a missing event, another asset's and another tenant's", async () => {
    const event = await createAnEvent(server, await createAnAsset(server));
    const otherAsset = await createAnAsset(server);
    const uuid = event.identity.split('/').at(-1);
    const missing = await server.request('GET', `/svc/v2/${event.asset_identity}/events/${NO_EVENT}`);
    const elsewhere = await server.request('GET', `/svc/v2/assets/${otherAsset}/events/${uuid}`);
    const foreign = await server.request('GET', `/svc/v2/${event.identity}`, { as: server.otherTenant.root });
    expectProblem(missing, 404, 'EVENT_NOT_FOUND');
    for (const { status, body } of [elsewhere, foreign]) expect([status, body]).to.eql([404, missing.body]);
  });

  it('refuses what is not a UUID, and `-`', async () => {
    expectProblem(await server.request('GET', `/svc/v2/assets/${NO_EVENT}/events/x`), 400, 'IDENTITY_INVALID', 'uuid');
    const answer = await server.request('GET', `/svc/v2/assets/-/events/${NO_EVENT}`);
    expectProblem(answer, 400, 'IDENTITY_INVALID', 'asset_uuid');
  });
});
