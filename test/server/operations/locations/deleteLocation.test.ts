import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { LocationRecord } from '../../../../ledger/records/location.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { createALocation, createAnAsset } from '../../support/requests.ts';
import type { RequestOptions } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

const PATH = '/svc/v2/locations';
const NO_LOCATION = 'locations/3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const HOME = 'arc_home_location_identity';

describe('DELETE v2/locations/{uuid}', () => {
  const server = useNewServer();
  let location: Record<string, unknown>;
  let identity: string;
  beforeEach(async () => {
    location = await createALocation(server, { description: 'North', attributes: { a: '1' } });
    identity = location.identity as string;
  });

  const send = (method: string, options: RequestOptions = {}, path = identity) =>
    server.request(method, `/svc/v2/${path}`, options);
  const remove = (options: RequestOptions = {}, path = identity) => send('DELETE', options, path);
  const expectMissing = async (): Promise<void> => {
    expectProblem(await send('GET'), 404, 'LOCATION_NOT_FOUND');
    expectProblem(await send('PATCH', { json: { display_name: 'again' } }), 404, 'LOCATION_NOT_FOUND');
    expectProblem(await remove(), 404, 'LOCATION_NOT_FOUND');
  };
  const slowDown = (): void => {
    server.ledger.beforeAppend = async () => {
      for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    };
  };

  it('answers with the location, records the deletion, and then answers 404', async () => {
    server.clock.atMs += 1000;
    const { status, body } = await remove();
    expect([status, body]).to.eql([200, location]);
    const [creation, deletion] = server.ledger.records as [LocationRecord, LocationRecord];
    expect(creation).not.to.have.property('is_deleted');
    expect(deletion).to.eql({
      ...creation,
      identity: deletion.identity,
      follows: creation.identity,
      is_deleted: true,
      timestamp_accepted: '2026-11-20T10:15:31.123Z',
    });
    expect(deletion.identity)
      .to.match(new RegExp(`^${identity}/versions/`))
      .and.not.equal(creation.identity);
    await expectMissing();
    expect(server.ledger.records).to.have.length(2);
  });

  it('leaves it readable as of earlier times, in the version of that time', async () => {
    server.clock.atMs += 1000;
    await send('PATCH', { json: { description: 'South' } });
    server.clock.atMs += 1000;
    await remove();
    server.clock.atMs += 10_000;
    const readAt = (time: string) => send('GET', {}, `${identity}?at_time=${time}`);
    for (const [time, description] of [
      ['2026-11-20T10:15:30.123Z', 'North'],
      ['2026-11-20T10:15:31.122Z', 'North'],
      ['2026-11-20T11:15:31.123+01:00', 'South'],
      ['2026-11-20T10:15:32.122Z', 'South'],
    ] as const) {
      const { status, body } = await readAt(time.replace('+', '%2B'));
      expect([status, body]).to.eql([200, { ...location, description }]);
    }
    for (const time of ['2026-11-20T10:15:30.122Z', '2026-11-20T10:15:32.123Z', '2027-01-01T00:00:00Z'])
      expectProblem(await readAt(time), 404, 'LOCATION_NOT_FOUND');
    expectProblem(await readAt('yesterday'), 400, 'TIMESTAMP_INVALID', 'at_time');
    const of = { as: server.otherTenant.reader };
    const foreign = await send('GET', of, `${identity}?at_time=2026-11-20T10:15:31Z`);
    expectProblem(foreign, 404, 'LOCATION_NOT_FOUND');
  });

  it('removes it from lists, filters and counts, in both orders', async () => {
    const other = await createALocation(server, { display_name: 'Other', attributes: { a: '1' } });
    await remove();
    for (const query of ['', '?order_by=DISPLAY_NAME', '?attributes.a=1', '?display_name=Other']) {
      const { headers, body } = await server.request('GET', `${PATH}${query}`, {
        headers: { 'x-request-total-count': 'true' },
      });
      expect([query, body.locations, headers.get('x-total-count')]).to.eql([query, [other], '1']);
    }
    expect((await server.request('GET', `${PATH}?display_name=Depot`)).body.locations).to.eql([]);
  });

  it('skips and repeats no location on the pages of a list from which one is deleted', async () => {
    const others = [];
    for (const display_name of ['B', 'C', 'D']) others.unshift(await createALocation(server, { display_name }));
    const first = (await server.request('GET', `${PATH}?page_size=2`)).body;
    await remove({}, others[0]!.identity);
    await remove({}, others[2]!.identity);
    const token = encodeURIComponent(first.next_page_token);
    const { body } = await server.request('GET', `${PATH}?page_token=${token}`);
    expect([first.locations, body.locations]).to.eql([others.slice(0, 2), [location]]);
  });

  it('is not undone by the repetition of the creation, which is answered as the first time', async () => {
    const options = { json: { display_name: 'D', latitude: 1, longitude: 2 }, headers: { 'Idempotency-Key': 'once' } };
    const first = await server.request('POST', PATH, options);
    await remove({}, first.body.identity);
    const again = await server.request('POST', PATH, options);
    expect([again.status, again.body]).to.eql([200, first.body]);
    expectProblem(await send('GET', {}, first.body.identity), 404, 'LOCATION_NOT_FOUND');
  });

  it('is a deletion also before the record is on the chain', async () => {
    server.ledger.isChainAway = true;
    expect((await remove()).status).to.equal(200);
    await expectMissing();
    expect((await server.request('GET', PATH)).body.locations).to.eql([]);
  });

  it('leaves assets that are there as they are, and lets no other be placed there', async () => {
    const attributes = { [HOME]: identity };
    const behaviours = ['RecordEvidence', 'LocationUpdate'];
    const [there, elsewhere] = [
      await createAnAsset(server, { attributes }),
      await createAnAsset(server, { behaviours }),
    ];
    await remove();
    expect((await server.request('GET', `/svc/v2/assets/${there}`)).body.attributes).to.eql(attributes);
    const set = { behaviour: 'LocationUpdate', operation: 'SetHomeLocation', asset_attributes: attributes };
    const event = await server.request('POST', `/svc/v2/assets/${elsewhere}/events`, { json: set });
    expectProblem(event, 400, 'LOCATION_UNKNOWN', `asset_attributes/${HOME}`);
    const asset = await server.request('POST', '/svc/v2/assets', { json: { attributes } });
    expectProblem(asset, 400, 'LOCATION_UNKNOWN', `attributes/${HOME}`);
  });

  it('accepts one of many concurrent deletions', async () => {
    slowDown();
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove()));
    expect(answers.map(({ status }) => status).sort()).to.eql([200, ...Array(19).fill(404)]);
    expect(server.ledger.records).to.have.length(2);
  });

  it('loses no change that was accepted before it, and lets none follow it', async () => {
    slowDown();
    const change = (number: number) => send('PATCH', { json: { description: `changed ${number}` } });
    const [deleted, ...changed] = await Promise.all([remove(), ...Array.from({ length: 10 }, (_, at) => change(at))]);
    const accepted = changed.filter(({ status }) => status === 200);
    for (const { status } of changed) expect(status).to.be.oneOf([200, 404]);
    const versions = server.ledger.records as LocationRecord[];
    expect(versions.map(({ is_deleted }) => is_deleted)).to.eql([...Array(accepted.length + 1).fill(undefined), true]);
    expect(versions.map(({ follows }) => follows)).to.eql(['', ...versions.slice(0, -1).map((each) => each.identity)]);
    expect([deleted!.status, deleted!.body.description]).to.eql([200, versions.at(-2)!.description]);
  });

  it("answers 404 alike for a missing location and for another tenant's", async () => {
    const missing = await remove({}, NO_LOCATION);
    expectProblem(missing, 404, 'LOCATION_NOT_FOUND');
    const foreign = await remove({ as: server.otherTenant.root });
    expect([foreign.status, foreign.body]).to.eql([404, missing.body]);
    expect((await send('GET')).body).to.eql(location);
  });

  it('requires the right of a writer', async () => {
    expectProblem(await remove({ as: server.tenant.reader }), 403, 'FORBIDDEN', 'authorization');
    expectProblem(await remove({}, 'locations/x'), 400, 'IDENTITY_INVALID', 'uuid');
    expect(server.ledger.records).to.have.length(1);
  });
});
