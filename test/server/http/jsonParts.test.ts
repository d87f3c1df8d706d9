import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import express, { type Express } from 'express';
import { sendJsonParts } from '../../../server/http/jsonParts.ts';
import { type Listener, listen } from '../../../server/listen.ts';
import { until } from '../../support/until.ts';

const LIST = `[${'"é",'.repeat(100_000)}1]`;
const BODY = `{"list":${LIST}}`;

describe('an answer in parts of JSON', () => {
  let listener: Listener;
  let sent: Uint8Array;
  let listen1: Express;

  before(async () => {
    listen1 = express().disable('etag').disable('x-powered-by');
    listen1.use('/parts', (_request, response) => {
      sent = new Uint8Array(Buffer.from(LIST));
      sendJsonParts(response, [Buffer.from('{"list":'), sent, Buffer.from('}')]);
    });
    listen1.use('/whole', (_request, response) => void response.type('json').send(Buffer.from(BODY)));
    listener = await listen(listen1, { host: '127.0.0.1', port: 0, graceMs: 100 });
  });
  after(() => listener.close());

  const open = async (path: string, method = 'GET', headers: Record<string, string> = {}): Promise<IncomingMessage> => {
    const asked = request(`${listener.url}${path}`, { method, headers: { connection: 'close', ...headers } }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return response;
  };

  const toAnswer = async (response: IncomingMessage) => {
    const fields = response.rawHeaders
      .map((field) => field.toLowerCase())
      .filter((_, at, all) => all[at - (at % 2)] !== 'date');
    return { status: response.statusCode, fields: fields.sort(), body: await text(response) };
  };

  for (const method of ['GET', 'HEAD'])
    for (const headers of [{}, { 'if-none-match': '*' }] as Record<string, string>[])
      it(`equals that of Express to ${method} with ${JSON.stringify(headers)}`, async () => {
        const [parts, whole] = await Promise.all(
          ['/parts', '/whole'].map(async (path) => toAnswer(await open(path, method, headers))),
        );
        expect(parts).to.deep.equal(whole);
      });

  it('frees the memory of a large part when it is sent, and not before', async () => {
    const response = await open('/parts');
    const { body } = await toAnswer(response);
    expect(body).to.equal(BODY);
    await until(() => sent.byteLength === 0);
  });

  it('frees the memory of what a client that closes never reads', async () => {
    const response = await open('/parts');
    response.destroy();
    await until(() => sent.byteLength === 0);
  });
});
