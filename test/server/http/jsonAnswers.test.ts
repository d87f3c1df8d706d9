import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import express, { type Express } from 'express';
import { createAnswerJson } from '../../../server/http/jsonAnswers.ts';
import { type Listener, listen } from '../../../server/listen.ts';

const BODIES: Readonly<Record<string, unknown>> = {
  object: { a: 1, 'é\u2028': '\ud800', none: undefined },
  list: [],
  long: { text: 'ä'.repeat(5_000) },
};

const createApplication = (isReplaced: boolean): Express => {
  const app = express();
  app.disable('etag').disable('x-powered-by');
  if (isReplaced) app.response.json = createAnswerJson(app.response.json, () => []);
  app.use('/:name/:status', ({ params }, response) => {
    if (params.name !== 'list') response.set('x-before', '1');
    response.status(Number(params.status)).json(BODIES[params.name]);
  });
  return app;
};

describe('answers in JSON', () => {
  const listeners: Listener[] = [];
  before(async () => {
    for (const isReplaced of [false, true]) {
      listeners.push(await listen(createApplication(isReplaced), { host: '127.0.0.1', port: 0, graceMs: 100 }));
    }
  });
  after(() => Promise.all(listeners.map(({ close }) => close())));

  const send = async (listener: Listener, method: string, path: string, headers: Record<string, string>) => {
    const sent = request(`${listener.url}${path}`, { method, headers: { connection: 'close', ...headers } });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject).end();
    });
    const fields = response.rawHeaders.filter((_, at) => response.rawHeaders[at - (at % 2)] !== 'Date');
    return { status: response.statusCode, fields, body: await text(response) };
  };

  const CONDITIONS: Record<string, string>[] = [
    {},
    { 'if-none-match': '*' },
    { 'if-none-match': '"a"' },
    { 'if-modified-since': 'Fri, 20 Nov 2026 10:15:30 GMT' },
    { 'if-none-match': '*', 'cache-control': 'no-cache' },
  ];
  for (const method of ['GET', 'HEAD', 'POST']) {
    for (const headers of CONDITIONS) {
      it(`equal those of Express to ${method} with ${JSON.stringify(headers)}`, async () => {
        for (const name of Object.keys(BODIES)) {
          for (const status of [200, 404, 503]) {
            const [expected, actual] = await Promise.all(
              listeners.map((listener) => send(listener, method, `/${name}/${status}`, headers)),
            );
            expect(actual).to.eql(expected);
          }
        }
      });
    }
  }
});
