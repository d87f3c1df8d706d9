// What a tenant contributes hinders no later event of the owner, and lines of events:bulk are about own assets alone.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toContribution } from '../../../../ledger/records/contribution.ts';
import { toEventCollection, toKeyedUuid } from '../../../../server/records/idempotency.ts';
import { anEvent } from '../../../support/records.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { parseLines, postLines } from '../../support/lines.ts';
import { aRecord, createAnAsset } from '../../support/requests.ts';
import { introduce, permit } from '../../support/sharing.ts';
import { useServer } from '../../support/useServer.ts';

const MEASURE = aRecord({ event_attributes: { arc_display_type: 'Measure' } });

describe('an asset to which another tenant contributes', () => {
  const server = useServer();
  let asset: string;
  let revoke: () => Promise<void>;
  before(async () => {
    const subject = await introduce(server, server.tenant, server.otherTenant);
    revoke = await permit(server, server.tenant, {
      subjects: [subject],
      behaviours: ['*'],
      asset_attributes_write: ['*'],
      event_arc_display_type_write: ['*'],
    });
    asset = await createAnAsset(server);
  });

  const post = (key: string, json: unknown) =>
    server.request('POST', `/svc/v2/assets/${asset}/events`, { json, headers: { 'Idempotency-Key': key } });

  // The writer guesses a key, and takes the UUID that it leads to.
  const takeKey = async (key: string): Promise<string> => {
    const { identity: tenantIdentity } = server.tenant;
    await post(randomUUID(), MEASURE);
    const { principal_accepted: principal } = server.ledger.records.at(-1)!;
    const uuid = toKeyedUuid({ tenantIdentity, principal }, toEventCollection(asset), key);
    const identity = `assets/${asset}/events/${uuid}`;
    const record = toContribution(anEvent({ identity, event_attributes: { taken: 'yes' } }), tenantIdentity);
    const { identity: writer } = server.otherTenant;
    await server.ledger.mine({ tenantIdentity: writer, record });
    const { body: taken } = await server.request('GET', `/svc/v2/${identity}`);
    expect(taken.tenant_identity).to.equal(writer);
    return identity;
  };

  it("records the owner's event under a key whose UUID the other tenant has taken", async () => {
    const identity = await takeKey('order-1');
    const { status, body } = await post('order-1', MEASURE);
    expect([status, body.identity, body.tenant_identity]).to.eql([200, identity, server.tenant.identity]);
    expect((await post('order-1', MEASURE)).body).to.eql(body);
    expectProblem(await post('order-1', { ...MEASURE, event_attributes: {} }), 409, 'IDEMPOTENCY_CONFLICT');
    const { body: listed } = await server.request('GET', `/svc/v2/assets/${asset}/events`);
    expect(listed.events.filter((event: typeof body) => event.identity === identity)).to.have.length(2);
  });

  it('exports what follows the earlier of two events of one identity', async () => {
    const identity = await takeKey('order-3');
    const { body: between } = await post(randomUUID(), MEASURE);
    await post('order-3', MEASURE);
    const { body } = await server.request('GET', `/svc/v2/events:export?after=${identity}`);
    const exported = parseLines(body).map((event) => event.identity);
    expect(exported).to.eql([between.identity, identity]);
  });

  it('records a line of the owner under such a key', async () => {
    const identity = await takeKey('order-2');
    const line = { ...MEASURE, asset_identity: `assets/${asset}`, idempotency_key: 'order-2' };
    const [answer] = await postLines(server, `${JSON.stringify(line)}\n`);
    expect([answer.status, answer.event.identity, answer.event.tenant_identity]).to.eql([
      200,
      identity,
      server.tenant.identity,
    ]);
  });

  it('refuses lines of another tenant, as for an asset that does not exist', async () => {
    const count = server.ledger.records.length;
    const lines = [asset, randomUUID()].map((uuid) => ({ ...MEASURE, asset_identity: `assets/${uuid}` }));
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const [shared, missing] = await postLines(server, body, { as: server.otherTenant.writer });
    expect([shared.status, shared.error]).to.eql([404, missing.error]);
    expect(shared.error.details[0].error).to.equal('ASSET_NOT_FOUND');
    expect(server.ledger.records).to.have.length(count);
  });

  it('shows the writer its own event also when it may not read or write the asset any more', async () => {
    const as = server.otherTenant.writer;
    const { body } = await server.request('POST', `/svc/v2/assets/${asset}/events`, { json: MEASURE, as });
    await revoke();
    expect((await server.request('GET', `/svc/v2/${body.identity}`, { as })).body).to.eql(body);
    expectProblem(await server.request('GET', `/svc/v2/assets/${asset}`, { as }), 404, 'ASSET_NOT_FOUND');
    expect((await server.request('GET', '/svc/v2/assets/-/events', { as })).body.events).to.eql([]);
  });
});
