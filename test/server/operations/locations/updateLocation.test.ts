import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { LocationRecord } from '../../../../ledger/records/location.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { createALocation } from '../../support/requests.ts';
import type { RequestOptions } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

const NO_LOCATION = 'locations/3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';

describe('PATCH v2/locations/{uuid}', () => {
  const server = useNewServer();
  let identity: string;
  let before: Record<string, unknown>;
  beforeEach(async () => {
    before = await createALocation(server, { description: 'North', attributes: { a: '1', b: '2' } });
    identity = before.identity as string;
  });
  const patch = (json: unknown, options: RequestOptions = {}, path = identity) =>
    server.request('PATCH', `/svc/v2/${path}`, { json, ...options });
  const read = async () => (await server.request('GET', `/svc/v2/${identity}`)).body;

  it('changes the fields that are given and leaves the others', async () => {
    const { status, body } = await patch({ latitude: 10.0, description: '' });
    expect([status, body]).to.eql([200, { ...before, latitude: '10', description: '' }]);
    expect(await read()).to.eql(body);
  });

  it('replaces all attributes', async () => {
    expect((await patch({ attributes: { c: '3' } })).body.attributes).to.eql({ c: '3' });
    expect((await patch({ attributes: {} })).body.attributes).to.eql({});
  });

  it('records a new version of the location', async () => {
    server.clock.atMs += 1000;
    await patch({ display_name: 'Moved' });
    const [first, second] = server.ledger.records;
    expect(second!.identity)
      .to.match(new RegExp(`^${identity}/versions/`))
      .and.not.to.equal(first!.identity);
    expect(second).to.deep.include({ type: 'location', display_name: 'Moved', attributes: { a: '1', b: '2' } });
    expect(second!.timestamp_accepted).to.equal('2026-11-20T10:15:31.123Z');
  });

  it('records nothing if nothing changes', async () => {
    for (const json of [{}, { latitude: 51.5 }, { attributes: { b: '2', a: '1' } }]) {
      expect((await patch(json)).body).to.eql(before);
    }
    expect(server.ledger.records).to.have.length(1);
    expect((await patch({ latitude: '51.50' })).body.latitude).to.equal('51.50');
  });

  it('loses no concurrent change', async () => {
    server.ledger.beforeAppend = async () => {
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    };
    const changes = [
      { display_name: 'A' },
      { description: 'B' },
      { latitude: 1 },
      { longitude: 2 },
      { attributes: {} },
    ];
    const answers = await Promise.all(changes.map((json) => patch(json)));
    expect(answers.map(({ status }) => status)).to.eql(changes.map(() => 200));
    const merged = { display_name: 'A', description: 'B', latitude: '1', longitude: '2', attributes: {} };
    expect(await read()).to.eql({ identity, ...merged });
  });

  it('builds on a change that is not on the chain yet', async () => {
    server.ledger.isChainAway = true;
    await patch({ display_name: 'A' });
    expect((await patch({ description: 'B' })).body).to.include({ display_name: 'A', description: 'B' });
  });

  it('follows the version that it changes, also one that is not on the chain yet', async () => {
    await patch({ display_name: 'A' });
    server.ledger.isChainAway = true;
    await Promise.all([patch({ description: 'B' }), patch({ latitude: 1 })]);
    const versions = server.ledger.records as LocationRecord[];
    expect(versions.map(({ follows }) => follows)).to.eql(['', ...versions.slice(0, 3).map((each) => each.identity)]);
    expect(await read()).to.include({ display_name: 'A', description: 'B', latitude: '1' });
  });

  it('is 409 if another writer records a version first, which then holds', async () => {
    const first = server.ledger.records[0] as LocationRecord;
    const foreign = { ...first, identity: `${identity}/versions/${randomUUID()}`, follows: first.identity };
    server.ledger.beforeAppend = async () => {
      server.ledger.beforeAppend = async () => {};
      await server.ledger.mine({
        tenantIdentity: server.tenant.identity,
        record: { ...foreign, display_name: 'from elsewhere' },
      });
    };
    expectProblem(await patch({ description: 'late' }), 409, 'VERSION_CONFLICT');
    expect(await read()).to.eql({ ...before, display_name: 'from elsewhere' });
    const { status, body } = await patch({ description: 'again' });
    expect([status, body]).to.eql([200, { ...before, display_name: 'from elsewhere', description: 'again' }]);
  });

  it("answers 404 alike for a missing location and for another tenant's", async () => {
    const missing = await patch({}, {}, NO_LOCATION);
    const foreign = await patch({ display_name: 'mine' }, { as: server.otherTenant.writer });
    expectProblem(missing, 404, 'LOCATION_NOT_FOUND');
    expect([foreign.status, foreign.body]).to.eql([404, missing.body]);
    const read404 = await server.request('GET', `/svc/v2/${identity}`, { as: server.otherTenant.root });
    expect([read404.status, read404.body]).to.eql([404, missing.body]);
    expect(await read()).to.eql(before);
  });

  it('changes the fields that `mask` names alone, and resets those that the body lacks', async () => {
    const masked = (mask: string, json: object) => patch(json, {}, `${identity}?mask=${mask}`);
    const full = { display_name: 'A', description: 'B', latitude: 1, longitude: 2, attributes: { c: '3' } };
    const one = await masked('display_name,display_name', full);
    expect([one.status, one.body]).to.eql([200, { ...before, display_name: 'A' }]);
    expect((await masked('latitude,longitude', full)).body).to.include({ latitude: '1', longitude: '2' });
    expect((await masked('description', { description: null })).body).to.include({ description: '' });
    expect((await masked('attributes,description', { description: 'C' })).body).to.deep.include({
      description: 'C',
      attributes: {},
    });
    const written = server.ledger.records.length;
    await masked('latitude', { latitude: '1', description: 'other' });
    expect(server.ledger.records).to.have.length(written);
    for (const name of ['display_name', 'latitude', 'longitude']) {
      expectProblem(await masked(name, { ...full, [name]: null }), 400, 'REQUEST_INVALID', name);
    }
    for (const mask of [
      '',
      'name',
      'identity',
      'attachments',
      'attributes.c',
      'Latitude',
      'latitude,',
      'latitude, longitude',
    ])
      expectProblem(await masked(mask, full), 400, 'REQUEST_INVALID', 'mask');
    expectProblem(await masked('description&mask=latitude', full), 400, 'REQUEST_INVALID', 'mask');
    expect(server.ledger.records).to.have.length(written);
  });

  it('refuses an invalid change by the name of its field', async () => {
    const refusals: [unknown, string, string][] = [
      [[], 'REQUEST_INVALID', 'body'],
      [{ display_name: '' }, 'REQUEST_INVALID', 'display_name'],
      [{ display_name: 1 }, 'REQUEST_INVALID', 'display_name'],
      [{ latitude: '' }, 'COORDINATE_INVALID', 'latitude'],
      [{ longitude: 181 }, 'COORDINATE_INVALID', 'longitude'],
      [{ attributes: { a: null } }, 'ATTRIBUTE_INVALID', 'attributes/a'],
      [{ identities: [identity] }, 'REQUEST_INVALID', 'identities'],
    ];
    for (const [json, error, field] of refusals) expectProblem(await patch(json), 400, error as never, field);
    expectProblem(await patch({}, { as: server.tenant.reader }), 403, 'FORBIDDEN');
    expectProblem(await patch({}, {}, 'locations/x'), 400, 'IDENTITY_INVALID', 'uuid');
    expect(server.ledger.records).to.have.length(1);
  });
});
