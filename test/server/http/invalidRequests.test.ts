import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { LedgerErrorCode } from '../../../ledger/errors.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { aRecord, createAnAsset } from '../support/requests.ts';
import { LIMITS, type RequestOptions, type ServerAnswer } from '../support/testServer.ts';
import { useServer } from '../support/useServer.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const json = (value: unknown): RequestOptions => ({ json: value });
const text = (body: string): RequestOptions => ({ body, headers: JSON_TYPE });
const bytes = (...values: number[]): RequestOptions => ({ body: Uint8Array.from(values), headers: JSON_TYPE });
const typed = (contentType: string): RequestOptions => ({ body: '{}', headers: { 'content-type': contentType } });
const names = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 'v']));

type Case = [title: string, options: RequestOptions, status: number, error: LedgerErrorCode, field?: string];

const BODIES: Case[] = [
  ['no body', { headers: JSON_TYPE }, 400, 'REQUEST_INVALID', 'body'],
  ['malformed JSON', text('{"behaviour":'), 400, 'REQUEST_INVALID', 'body'],
  ['two JSON values', text('{}{}'), 400, 'REQUEST_INVALID', 'body'],
  ['a list', text('[]'), 400, 'REQUEST_INVALID', 'body'],
  ['a string', text('"x"'), 400, 'REQUEST_INVALID', 'body'],
  ['null', text('null'), 400, 'REQUEST_INVALID', 'body'],
  ['bytes that are not UTF-8', bytes(0x22, 0xff, 0x22), 400, 'REQUEST_INVALID', 'body'],
  ['UTF-16', bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0), 400, 'REQUEST_INVALID', 'body'],
  ['endless nesting', text('['.repeat(60_000)), 400, 'REQUEST_INVALID', 'body'],
  ['a very deep list', text(`${'['.repeat(50_000)}${']'.repeat(50_000)}`), 400, 'REQUEST_INVALID', 'body'],
  [
    'a very deep attribute',
    text(
      `{"behaviour":"RecordEvidence","operation":"Record","event_attributes":{"a":${'['.repeat(62)}"\\u0041"${']'.repeat(62)},"b":"${'x'.repeat(1_024)}"}}`,
    ),
    400,
    'ATTRIBUTE_INVALID',
    'event_attributes/a/0',
  ],
  [
    'an attribute that nests too deeply to be read',
    text(
      `{"behaviour":"RecordEvidence","operation":"Record","event_attributes":{"a":${'['.repeat(9_999)}"["${']'.repeat(9_999)}}}`,
    ),
    400,
    'REQUEST_INVALID',
    'body',
  ],
  [
    'half a surrogate pair in a value',
    text('{"behaviour":"RecordEvidence","operation":"Record","event_attributes":{"a":{"b/c":"x\\ud800"}}}'),
    400,
    'REQUEST_INVALID',
    'event_attributes/a/b~1c',
  ],
  [
    'half a surrogate pair in a name',
    text('{"behaviour":"RecordEvidence","operation":"Record","event_attributes":{"\\udc00":"x"}}'),
    400,
    'REQUEST_INVALID',
    'event_attributes/\udc00',
  ],
  ['no content type', { body: new TextEncoder().encode('{}') }, 415, 'MEDIA_TYPE_UNSUPPORTED', 'content-type'],
  ['another content type', typed('text/plain'), 415, 'MEDIA_TYPE_UNSUPPORTED', 'content-type'],
  ['a form', typed('application/x-www-form-urlencoded'), 415, 'MEDIA_TYPE_UNSUPPORTED'],
  ['another JSON type', typed('application/merge-patch+json'), 415, 'MEDIA_TYPE_UNSUPPORTED'],
  ['another charset', typed('application/json; charset=latin1'), 415, 'MEDIA_TYPE_UNSUPPORTED'],
  [
    'a content encoding',
    { body: new Uint8Array(gzipSync('{}')), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
    415,
    'MEDIA_TYPE_UNSUPPORTED',
    'content-encoding',
  ],
  ['a body over the limit', text(' '.repeat(LIMITS.bodyBytesMax + 1)), 413, 'REQUEST_TOO_LARGE'],
  ['a missing field', json({ behaviour: 'RecordEvidence' }), 400, 'REQUEST_INVALID', 'operation'],
  ['an unknown field', json(aRecord({ identities: 'assets/1' })), 400, 'REQUEST_INVALID', 'identities'],
  [
    'a name that is given twice',
    text('{"behaviour":"RecordEvidence","operation":"Record","operation":"Attach"}'),
    400,
    'REQUEST_INVALID',
    'operation',
  ],
  [
    'a name that is given twice deep inside, once as an escape',
    text('{"behaviour":"RecordEvidence","operation":"Record","event_attributes":{"a/b":[{},{"c":"1","\\u0063":"1"}]}}'),
    400,
    'REQUEST_INVALID',
    'event_attributes/a~1b/1/c',
  ],
  [
    '__proto__ as a field',
    text('{"behaviour":"RecordEvidence","operation":"Record","__proto__":{}}'),
    400,
    'REQUEST_INVALID',
    '__proto__',
  ],
  ['a field of the wrong type', json(aRecord({ operation: 1 })), 400, 'REQUEST_INVALID', 'operation'],
  ['an empty operation', json(aRecord({ operation: '' })), 400, 'REQUEST_INVALID', 'operation'],
  ['a long operation', json(aRecord({ operation: 'x'.repeat(256) })), 400, 'REQUEST_INVALID', 'operation'],
  ['attributes that are a list', json(aRecord({ event_attributes: [] })), 400, 'REQUEST_INVALID', 'event_attributes'],
  ['a required field that is null', json(aRecord({ operation: null })), 400, 'REQUEST_INVALID', 'operation'],
  ['a number', json(aRecord({ event_attributes: { w: 1 } })), 400, 'ATTRIBUTE_INVALID', 'event_attributes/w'],
  ['a boolean', json(aRecord({ asset_attributes: { w: true } })), 400, 'ATTRIBUTE_INVALID', 'asset_attributes/w'],
  ['null as a value', json(aRecord({ event_attributes: { w: null } })), 400, 'ATTRIBUTE_INVALID', 'event_attributes/w'],
  [
    'a number in a map',
    json(aRecord({ event_attributes: { w: { x: 1 } } })),
    400,
    'ATTRIBUTE_INVALID',
    'event_attributes/w/x',
  ],
  [
    'a map in a map',
    json(aRecord({ event_attributes: { w: { x: {} } } })),
    400,
    'ATTRIBUTE_INVALID',
    'event_attributes/w/x',
  ],
  [
    'a list of strings',
    json(aRecord({ event_attributes: { w: ['x'] } })),
    400,
    'ATTRIBUTE_INVALID',
    'event_attributes/w/0',
  ],
  [
    'a number in a list',
    json(aRecord({ event_attributes: { w: [{}, { x: 1 }] } })),
    400,
    'ATTRIBUTE_INVALID',
    'event_attributes/w/1/x',
  ],
  [
    'a name with separators',
    json(aRecord({ event_attributes: { 'a/b~c': 1 } })),
    400,
    'ATTRIBUTE_INVALID',
    'event_attributes/a~1b~0c',
  ],
  ['an empty name', json(aRecord({ event_attributes: { '': 'x' } })), 400, 'REQUEST_INVALID', 'event_attributes'],
  [
    'a long name',
    json(aRecord({ event_attributes: { ['x'.repeat(1025)]: 'x' } })),
    400,
    'REQUEST_INVALID',
    'event_attributes',
  ],
  [
    'a long value',
    json(aRecord({ event_attributes: { w: 'x'.repeat(4097) } })),
    400,
    'ATTRIBUTE_INVALID',
    'event_attributes/w',
  ],
  [
    'a long value in a list',
    json(aRecord({ event_attributes: { w: [{ x: 'x'.repeat(4097) }] } })),
    400,
    'ATTRIBUTE_INVALID',
    'event_attributes/w/0/x',
  ],
  ['too many attributes', json(aRecord({ event_attributes: names(1001) })), 400, 'REQUEST_INVALID', 'event_attributes'],
  [
    'a principal of the wrong type',
    json(aRecord({ principal_declared: 'bob' })),
    400,
    'REQUEST_INVALID',
    'principal_declared',
  ],
  [
    'an unknown field of a principal',
    json(aRecord({ principal_declared: { name: 'bob' } })),
    400,
    'REQUEST_INVALID',
    'principal_declared/name',
  ],
  [
    'a timestamp that is a number',
    json(aRecord({ timestamp_declared: 1 })),
    400,
    'REQUEST_INVALID',
    'timestamp_declared',
  ],
  [
    'an empty Idempotency-Key',
    { ...json(aRecord()), headers: { 'idempotency-key': '' } },
    400,
    'REQUEST_INVALID',
    'idempotency-key',
  ],
  [
    'an Idempotency-Key with a space',
    { ...json(aRecord()), headers: { 'idempotency-key': 'a b' } },
    400,
    'REQUEST_INVALID',
    'idempotency-key',
  ],
  [
    'a long Idempotency-Key',
    { ...json(aRecord()), headers: { 'idempotency-key': 'x'.repeat(256) } },
    400,
    'REQUEST_INVALID',
    'idempotency-key',
  ],
];

const ASSETS: Case[] = [
  ['an unknown field', json({ name: 'door' }), 400, 'REQUEST_INVALID', 'name'],
  ['behaviours that are a string', json({ behaviours: 'Firmware' }), 400, 'REQUEST_INVALID', 'behaviours'],
  ['a behaviour that is a number', json({ behaviours: [1] }), 400, 'REQUEST_INVALID', 'behaviours/0'],
  ['too many behaviours', json({ behaviours: Array(101).fill('Firmware') }), 400, 'REQUEST_INVALID', 'behaviours'],
  ['a number as an attribute', json({ attributes: { w: 1 } }), 400, 'ATTRIBUTE_INVALID', 'attributes/w'],
  ['public as a string', json({ public: 'true' }), 400, 'REQUEST_INVALID', 'public'],
  ['an unknown proof mechanism', json({ proof_mechanism: 'NONE' }), 400, 'REQUEST_INVALID', 'proof_mechanism'],
];

describe('an invalid request', () => {
  const server = useServer();
  let eventsPath: string;
  before(async () => {
    eventsPath = `/svc/v2/assets/${await createAnAsset(server)}/events`;
  });

  const expectRefused = async (path: string, [, options, status, error, field]: Case): Promise<void> => {
    const before = server.ledger.records.length;
    expectProblem(await server.request('POST', path, options), status, error, field);
    expect(server.ledger.records.length).to.equal(before);
    expect(server.unexpected).to.eql([]);
  };
  for (const one of BODIES) it(`to record an event is refused: ${one[0]}`, () => expectRefused(eventsPath, one));
  for (const one of ASSETS) it(`to create an asset is refused: ${one[0]}`, () => expectRefused('/svc/v2/assets', one));

  it('is not one whose body is exactly at the limits', async () => {
    const attributes = {
      ['x'.repeat(1024)]: 'y'.repeat(4096),
      ['\u{1f6aa}'.repeat(1024)]: { a: '\u{1f6aa}'.repeat(4096) },
    };
    const options = { json: { attributes }, headers: { 'idempotency-key': '~'.repeat(255) } };
    expect((await server.request('POST', '/svc/v2/assets', options)).status).to.equal(200);
    const exactly = { ...text(`{}${' '.repeat(LIMITS.bodyBytesMax - 2)}`) };
    expect((await server.request('POST', '/svc/v2/assets', exactly)).status).to.equal(200);
  });

  it('is not one with a complete surrogate pair, a byte order mark or a charset', async () => {
    const body = '\ufeff{"attributes":{"a":"\\ud83d\\udeaa"}}';
    const headers = { 'content-type': 'Application/JSON; charset="UTF-8"' };
    const answer = await server.request('POST', '/svc/v2/assets', { body, headers });
    expect(answer.body.attributes).to.eql({ a: '\u{1f6aa}' });
  });

  it('is answered without the wording of a library', async () => {
    const answer = await server.request('POST', eventsPath, json(aRecord({ operation: 1, x: 1 })));
    expect(JSON.stringify(answer.body)).not.to.match(/must |request\/body|openapi|should/);
  });

  it('with an unknown method is 405 with the known ones, and with an unknown route 404', async () => {
    const answer = await server.request('DELETE', '/svc/v2/assets');
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).to.equal('GET, HEAD, POST');
    for (const method of ['PATCH', 'OPTIONS', 'PROPFIND']) {
      expectProblem(await server.request(method, eventsPath), 405, 'METHOD_NOT_ALLOWED');
    }
    for (const path of ['/', '/svc', '/svc/v2', '/svc/v2/assets/', '/SVC/v2/assets', '/v2/assets', '/svc//v2/assets']) {
      expectProblem(await server.request('GET', path), 404, 'ROUTE_NOT_FOUND');
    }
  });

  it('is refused if its path is not percent-encoded UTF-8', async () => {
    expectProblem(await server.request('GET', '/svc/v2/assets/%ff'), 400, 'REQUEST_INVALID', 'path');
  });

  const requestTarget = (path: string): Promise<ServerAnswer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const request = httpRequest({ hostname, port, path, method: 'GET' }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const headers = new Headers(response.headers as Record<string, string>);
          resolve({ status: response.statusCode!, headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
        });
      });
      request.on('error', reject).end();
    });

  it('gets a regular answer if its target is one that no URL parser produces', async () => {
    expectProblem(await requestTarget('/svc/v2/assets/../assets'), 404, 'ROUTE_NOT_FOUND');
    expectProblem(await requestTarget('//svc/v2/assets'), 404, 'ROUTE_NOT_FOUND');
    expectProblem(await requestTarget('/svc/v2/assets/?page_size=1'), 404, 'ROUTE_NOT_FOUND');
    expectProblem(await requestTarget('http://elsewhere/nothing'), 404, 'ROUTE_NOT_FOUND');
    expectProblem(await requestTarget('http://elsewhere/svc/v2/assets'), 401, 'UNAUTHENTICATED');
  });
});
