import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createRequestQueue } from '../../../server/http/requestQueue.ts';
import { until } from '../../support/until.ts';

const toGet = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n');
const LAST = toGet('/last', 'connection: close');

describe('pipelined requests', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  let parsed: number;
  let idle: number;
  beforeEach(() => {
    parsed = 0;
    idle = 0;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  const createAdd = (answer: RequestListener, waitingMax = 10_000): RequestListener => {
    const onIdle = (): void => {
      idle += 1;
    };
    return createRequestQueue(answer, { waitingMax, onRequest: () => undefined, onIdle }).add;
  };

  const listen = async (listener: RequestListener): Promise<number> => {
    const server = createServer();
    servers.push(server);
    server.on('request', () => {
      parsed += 1;
    });
    server.on('request', listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const serve = (answer: RequestListener, waitingMax?: number): Promise<number> =>
    listen(createAdd(answer, waitingMax));

  const open = (port: number, bytes: string): Socket => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(bytes);
    return socket;
  };

  /** A listener that leaves the answers to the test, and the requests and responses that it received. */
  const createHeld = () => {
    const held: { request: IncomingMessage; response: ServerResponse }[] = [];
    return { held, answer: (request: IncomingMessage, response: ServerResponse) => held.push({ request, response }) };
  };

  it('run one at a time in order, and all are answered', async () => {
    let running = 0;
    let runningMax = 0;
    const port = await serve(async (request, response) => {
      running += 1;
      runningMax = Math.max(runningMax, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      response.end(`<${request.url}>`);
    });
    const paths = Array.from({ length: 5_000 }, (_, at) => `/${at}`);
    const answered = await text(open(port, paths.map((path) => toGet(path)).join('') + LAST));
    expect([...answered.matchAll(/<(.*?)>/g)].map(([, path]) => path)).to.eql([...paths, '/last']);
    expect(runningMax).to.equal(1);
    expect(idle).to.equal(1);
  });

  it('keep their bodies, even if these arrive while another request runs', async () => {
    const port = await serve(async (request, response) => response.end(`<${(await text(request)).length}>`));
    const lengths = [0, 10, 200_000, 1, 70_000];
    const requests = lengths.map(
      (length) => `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${'x'.repeat(length)}`,
    );
    const answered = await text(open(port, requests.join('') + LAST));
    expect([...answered.matchAll(/<(.*?)>/g)].map(([, length]) => Number(length))).to.eql([...lengths, 0]);
  });

  it('are not read while one runs, except the rest of the last read from the socket', async () => {
    const { held, answer } = createHeld();
    const port = await serve(answer);
    const socket = open(port, toGet('/').repeat(200_000));
    await until(() => held.length === 1 && parsed > 1);
    const accepted: number[] = [];
    // Unread bytes fill the system's buffers until the client can send no more.
    await until(() => {
      accepted.push(socket.bytesWritten - socket.writableLength);
      return accepted.length > 40 && accepted.at(-1) === accepted.at(-40);
    });
    expect(parsed).to.be.at.most(2 * Math.ceil(65_536 / toGet('/').length));
    expect(held).to.have.length(1);
  });

  it('leave turns to the requests of other connections', async () => {
    const order: string[] = [];
    const port = await serve((request, response) => {
      order.push(request.url!);
      response.end('x'.repeat(1000));
    });
    const count = 1_000;
    const flood = open(port, toGet('/flood').repeat(count)).resume();
    await once(flood, 'data');
    await text(open(port, toGet('/other', 'connection: close')));
    const before = order.indexOf('/other');
    expect(before).to.be.greaterThan(0).and.lessThan(count);
  });

  it('are dropped when their connection closes', async () => {
    const { held, answer } = createHeld();
    const port = await serve(answer);
    const socket = open(port, toGet('/').repeat(100));
    await until(() => parsed === 100);
    let isClosed = false;
    held[0]!.response.once('close', () => {
      isClosed = true;
    });
    socket.resetAndDestroy();
    held[0]!.response.write('x');
    await until(() => isClosed);
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(held).to.have.length(1);
  });

  it('are dropped when their connection closes before their turn', async () => {
    const count = 50;
    const arrived: Parameters<RequestListener>[] = [];
    const port = await listen((...exchange) => arrived.push(exchange));
    for (let client = 0; client < count; client += 1) open(port, toGet('/'));
    await until(() => arrived.length === count);
    const { held, answer } = createHeld();
    const add = createAdd(answer);
    for (const exchange of arrived) add(...exchange);
    for (const [request] of arrived) request.socket.destroy();
    for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(held.length).to.be.greaterThan(0).and.lessThan(count);
  });

  it('are dropped when an answer ends the connection', async () => {
    const urls: string[] = [];
    const port = await serve((request, response) => {
      urls.push(request.url!);
      if (request.url === '/2') response.setHeader('connection', 'close');
      response.end('x');
    });
    await text(open(port, ['/1', '/2', '/3', '/4'].map((path) => toGet(path)).join('')));
    expect(urls).to.eql(['/1', '/2']);
  });

  it('close the connection with the most requests when there are too many in all', async () => {
    const { held, answer } = createHeld();
    const port = await serve(answer, 100);
    const few = open(port, toGet('/few').repeat(20));
    await until(() => parsed === 20);
    const many = open(port, toGet('/many').repeat(101));
    await once(many.resume(), 'close');
    expect(held.map(({ request }) => request.url)).to.eql(['/few', '/many']);
    for (let at = 0; at < 20; at += 1) {
      await until(() => held.filter(({ request }) => request.url === '/few').length === at + 1);
      held.filter(({ request }) => request.url === '/few')[at]!.response.end('x');
    }
    expect(few.destroyed).to.equal(false);
  });
});
