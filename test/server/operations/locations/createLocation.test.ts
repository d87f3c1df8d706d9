import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import type { RequestOptions } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const DEPOT = { display_name: 'Depot', latitude: '51.5', longitude: '-0.1276' };

describe('POST v2/locations', () => {
  const server = useNewServer();
  const post = (json: unknown, options: RequestOptions = {}) =>
    server.request('POST', '/svc/v2/locations', { json, ...options });
  const postText = (body: string) =>
    server.request('POST', '/svc/v2/locations', { body, headers: { 'content-type': 'application/json' } });

  it('answers with the complete location, and records its first version', async () => {
    const attributes = { phone: '1', constructor: 'x' };
    const { status, body } = await post({ ...DEPOT, description: 'North', attributes });
    expect(status).to.equal(200);
    expect(body).to.eql({ identity: body.identity, ...DEPOT, description: 'North', attributes });
    expect(body.identity).to.match(new RegExp(`^locations/${UUID}$`));
    const record = server.ledger.records.at(-1)!;
    expect(record).to.deep.include({ type: 'location', ...DEPOT, attributes });
    expect(record.identity).to.match(new RegExp(`^${body.identity}/versions/${UUID}$`));
    expect(record.timestamp_accepted).to.equal('2026-11-20T10:15:30.123Z');
    expect(record.principal_accepted.subject).to.equal(server.tenant.writer.subject);
  });

  it('fills in optional fields', async () => {
    expect((await post(DEPOT)).body)
      .to.include({ description: '' })
      .and.to.deep.include({ attributes: {} });
  });

  it('keeps the digits of a coordinate, number or text', async () => {
    for (const text of ['51.500', '0.10000000000000000001', '-0', '5.15E+1', '90', '-90.0', '0']) {
      for (const given of [text, `"${text}"`]) {
        const { body } = await postText(`{"display_name":"x","latitude":${given},"longitude":${given}}`);
        expect([given, body.latitude, body.longitude]).to.eql([given, text, text]);
        const read = await server.request('GET', `/svc/v2/${body.identity}`);
        expect(read.body).to.eql(body);
      }
    }
  });

  const refusals: [title: string, json: object, error: string, field: string][] = [
    ['no name', { latitude: 1, longitude: 1 }, 'REQUEST_INVALID', 'display_name'],
    ['an empty name', { ...DEPOT, display_name: '' }, 'REQUEST_INVALID', 'display_name'],
    ['a long name', { ...DEPOT, display_name: 'x'.repeat(1025) }, 'REQUEST_INVALID', 'display_name'],
    ['a name that is a number', { ...DEPOT, display_name: 1 }, 'REQUEST_INVALID', 'display_name'],
    ['no latitude', { display_name: 'x', longitude: 1 }, 'REQUEST_INVALID', 'latitude'],
    ['no longitude', { display_name: 'x', latitude: 1 }, 'REQUEST_INVALID', 'longitude'],
    ['a latitude of null', { ...DEPOT, latitude: null }, 'REQUEST_INVALID', 'latitude'],
    ['a latitude that is a list', { ...DEPOT, latitude: [1] }, 'REQUEST_INVALID', 'latitude'],
    ['a latitude beyond the pole', { ...DEPOT, latitude: 90.000001 }, 'COORDINATE_INVALID', 'latitude'],
    ['a latitude of words', { ...DEPOT, latitude: 'north' }, 'COORDINATE_INVALID', 'latitude'],
    ['an empty latitude', { ...DEPOT, latitude: '' }, 'COORDINATE_INVALID', 'latitude'],
    ['a hexadecimal latitude', { ...DEPOT, latitude: '0x10' }, 'COORDINATE_INVALID', 'latitude'],
    ['a latitude with a comma', { ...DEPOT, latitude: '51,5' }, 'COORDINATE_INVALID', 'latitude'],
    ['a longitude past the date line', { ...DEPOT, longitude: '-180.1' }, 'COORDINATE_INVALID', 'longitude'],
    ['a longitude that is not a number', { ...DEPOT, longitude: 'NaN' }, 'COORDINATE_INVALID', 'longitude'],
    ['a long longitude', { ...DEPOT, longitude: `1.${'0'.repeat(63)}` }, 'COORDINATE_INVALID', 'longitude'],
    ['attributes that are a list', { ...DEPOT, attributes: [] }, 'REQUEST_INVALID', 'attributes'],
    ['a number as an attribute', { ...DEPOT, attributes: { a: 1 } }, 'ATTRIBUTE_INVALID', 'attributes/a'],
    ['a map as an attribute', { ...DEPOT, attributes: { a: {} } }, 'ATTRIBUTE_INVALID', 'attributes/a'],
    ['an unknown field', { ...DEPOT, identities: 'locations/1' }, 'REQUEST_INVALID', 'identities'],
  ];
  it('refuses an invalid location by the name of its field, and writes nothing', async () => {
    for (const [, json, error, field] of refusals) expectProblem(await post(json), 400, error as never, field);
    expectProblem(
      await postText('{"display_name":"x","latitude":1e400,"longitude":0}'),
      400,
      'COORDINATE_INVALID',
      'latitude',
    );
    expectProblem(await postText('['.repeat(60_000)), 400, 'REQUEST_INVALID', 'body');
    expectProblem(await postText(`${'['.repeat(50_000)}${']'.repeat(50_000)}`), 400, 'REQUEST_INVALID', 'body');
    expectProblem(await post(DEPOT, { as: server.tenant.reader }), 403, 'FORBIDDEN', 'authorization');
    expect(server.ledger.records).to.eql([]);
    expect(server.unexpected).to.eql([]);
  });

  it('repeats the first answer for the same Idempotency-Key, even after a change', async () => {
    const headers = { 'Idempotency-Key': 'depot-1' };
    const first = await post(DEPOT, { headers });
    await server.request('PATCH', `/svc/v2/${first.body.identity}`, { json: { display_name: 'Moved' } });
    server.clock.atMs += 60_000;
    const again = await post({ ...DEPOT, latitude: 51.5, description: '' }, { headers });
    expect([again.status, again.body]).to.eql([200, first.body]);
    expectProblem(await post({ ...DEPOT, latitude: '51.50' }, { headers }), 409, 'IDEMPOTENCY_CONFLICT');
    expect(server.ledger.records).to.have.length(2);
    const other = await post(DEPOT, { headers, as: server.tenant.root });
    expect(other.body.identity).not.to.equal(first.body.identity);
  });

  it('creates one location for many equal concurrent requests', async () => {
    const headers = { 'Idempotency-Key': 'depot-1' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(DEPOT, { headers })));
    for (const { status, body } of answers) expect([status, body]).to.eql([200, answers[0]!.body]);
    expect(server.ledger.records).to.have.length(1);
  });
});
