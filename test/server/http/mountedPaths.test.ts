import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import express, { type ErrorRequestHandler, type Request } from 'express';
import { useExpressMessages } from '../../../server/http/expressMessages.ts';
import { type AnswerPath, createListener, raiseFailure } from '../../../server/http/mountedPaths.ts';
import { listen } from '../../../server/listen.ts';

// Shows what a handler reads of a request, and whether Express' list of middlewares passed it.
const show = (by: string, { url, baseUrl, originalUrl, ip, protocol }: Request, path: string) => ({
  by,
  read: { url, baseUrl, originalUrl, ip, protocol, path },
});

const answerAs =
  (by: string): AnswerPath =>
  (path, request, response, next) => {
    if (path === '/throws') throw new TypeError('thrown');
    if (path === '/rejects') return Promise.reject(new TypeError('rejected'));
    if (path === '/calls') return Promise.resolve(next(new TypeError('called')));
    if (path !== '/known' && path !== '/') return undefined;
    response.status(201).json(show(by, request, path));
    return Promise.resolve();
  };

const assertHeaders = ({ headers }: Request): void => {
  if (headers['x-refused'] !== undefined) throw new TypeError('refused');
};

const createTestListener = (): { listener: RequestListener; opened: string[] } => {
  const opened: string[] = [];
  const app = express();
  app.enable('case sensitive routing').enable('strict routing');
  useExpressMessages(app);
  app.use((request, _response, next) => {
    assertHeaders(request);
    next();
  }, raiseFailure);
  const answer = answerAs('Express');
  app.use('/a', (request, response, next) => answer(request.path, request, response, next) ?? next());
  app.use((request, response) => void response.status(404).json(show('unknown', request, request.path)));
  const onError: ErrorRequestHandler = ({ message }: Error, one, response, _next) =>
    void response.status(400).json(show(message, one, one.path));
  app.use(onError);
  const observe = ({ originalUrl }: Request): void => void opened.push(originalUrl);
  const mounts = [{ prefix: '/a', answer: answerAs('the table') }];
  return { listener: createListener(app, { observe, assertHeaders, mounts }), opened };
};

const send = async (port: number, path: string, headers: Record<string, string> = {}) => {
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers: { connection: 'close', ...headers } });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
  return { status: response.statusCode, ...(JSON.parse(await text(response)) as ReturnType<typeof show>) };
};

for (const [kind, start] of [
  [
    'with the messages of `listen`',
    async (listener: RequestListener) => {
      const { url, close } = await listen(listener, { host: '127.0.0.1', port: 0, graceMs: 100 });
      return { port: Number(new URL(url).port), close };
    },
  ],
  [
    "with Node's own messages",
    async (listener: RequestListener) => {
      const server = createServer(listener);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return { port: (server.address() as AddressInfo).port, close: async () => void server.close() };
    },
  ],
] as const) {
  describe(`mounted paths, ${kind}`, () => {
    const { listener, opened } = createTestListener();
    let server: Awaited<ReturnType<typeof start>>;
    before(async () => {
      server = await start(listener);
    });
    after(() => server.close());

    const read = { ip: '127.0.0.1', protocol: 'http' };

    for (const query of ['', '?', '?a=1&b=/a/known']) {
      it(`are answered without Express' middlewares: /a/known${query}`, async () => {
        const target = `/a/known${query}`;
        const url = `/known${query}`;
        const expected = { status: 201, by: 'the table', read: { ...read, url, baseUrl: '/a', originalUrl: target } };
        expect(await send(server.port, target)).to.deep.nested.include({
          ...expected,
          read: { ...expected.read, path: '/known' },
        });
        expect(opened.at(-1)).to.equal(target);
      });
    }

    it("show a handler what Express' own mounts show", async () => {
      const direct = await send(server.port, '/a/known');
      const byExpress = await send(server.port, '/a/known#');
      expect([direct.by, byExpress.by]).to.eql(['the table', 'Express']);
      expect({ ...byExpress.read, url: '/known', originalUrl: '/a/known' }).to.eql(direct.read);
    });

    for (const path of ['/a', '/a?x', '/a/unknown', '/ab/known', '/A/known', '/known', '/', '/a/known/', '//a/known']) {
      it(`leave ${path} to Express, unchanged`, async () => {
        const { by, read: shown } = await send(server.port, path);
        expect(by).to.be.oneOf(['Express', 'unknown']);
        expect(shown.originalUrl).to.equal(path);
        if (by === 'unknown') expect([shown.baseUrl, shown.url]).to.eql(['', path]);
      });
    }

    for (const [path, message] of [
      ['/a/throws', 'thrown'],
      ['/a/rejects', 'rejected'],
      ['/a/calls', 'called'],
    ] as const) {
      it(`pass the error of ${path} to the error handlers of Express, with the complete target`, async () => {
        const { status, by, read: shown } = await send(server.port, `${path}?q`);
        expect([status, by, shown.baseUrl, shown.url]).to.eql([400, message, '', `${path}?q`]);
      });
    }

    it('leave a request with refused headers to Express', async () => {
      const { status, by } = await send(server.port, '/a/known', { 'x-refused': '1' });
      expect([status, by]).to.eql([400, 'refused']);
    });
  });
}
