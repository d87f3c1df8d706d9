import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { generate } from 'selfsigned';
import type { ConnectionClosing, ConnectionOptions } from '../../../server/http/connectionLimits.ts';
import { guardServer } from '../../../server/http/guardServer.ts';
import { createIsProxy } from '../../../server/http/proxies.ts';
import { until } from '../../support/until.ts';
import { useSweeps } from '../support/sweeps.ts';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const LARGE_BYTES = 20_000_000;
const PACE = { windowMs: 100, bodyBytesPerSecondMin: 4_096, unreadMs: 600_000 };
const HALF_BODY = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{';

describe('limits on connections', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  let closings: ConnectionClosing[];
  let port: number;
  /** Number of requests that the server has begun to answer. */
  let begun: number;
  beforeEach(() => {
    closings = [];
    begun = 0;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  const answerAtOnce: RequestListener = (_request, response) => response.end('x');

  const serve = async (
    limits: ConnectionOptions,
    answer: RequestListener = answerAtOnce,
    server: Server = createServer(),
  ): Promise<void> => {
    servers.push(server);
    guardServer(server, answer, { ...limits, onClosing: (closing) => closings.push(closing) });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };

  const keep = (socket: Socket): Socket => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    return socket;
  };

  const open = async (bytes = '', localAddress = '127.0.0.1'): Promise<Socket> => {
    const socket = keep(connect({ port, host: '127.0.0.1', localAddress }));
    await once(socket, 'connect');
    if (bytes !== '') socket.write(bytes);
    return socket;
  };

  const isClosed = async (socket: Socket): Promise<void> => {
    socket.resume();
    await until(() => socket.closed);
  };

  const isAnswered = async (socket: Socket): Promise<void> => {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).to.match(/^HTTP\/1.1 200 /);
  };

  it('close the connection that has waited longest for its client when a new one needs its place', async () => {
    await serve({ max: 10, perAddressMax: 3 });
    const [silent, half, used] = [await open(), await open('GET / HT'), await open(GET)];
    await isAnswered(used!);
    await isAnswered(await open(GET));
    await isClosed(silent!);
    await isAnswered(await open(GET));
    await isClosed(half!);
    expect(used!.closed).to.equal(false);
    expect(closings).to.eql(['displaced', 'displaced']);
  });

  it('close a new connection when all others of its address have a request in progress', async () => {
    const held: ServerResponse[] = [];
    await serve({ max: 10, perAddressMax: 2 }, (_request, response) => held.push(response));
    const busy = [await open(GET), await open(GET)];
    await until(() => held.length === 2);
    await isClosed(await open(GET));
    expect(closings).to.eql(['refused']);
    expect(busy.some(({ closed }) => closed)).to.equal(false);
    await open(GET, '127.0.0.2');
    await until(() => held.length === 3);
    for (const response of held) response.end('x');
    await isAnswered(busy[0]!);
    await open(GET);
    await until(() => held.length === 4);
  });

  it('close a connection whose body has stalled when a new one needs its place', async () => {
    const received: unknown[] = [];
    await serve({ max: 10, perAddressMax: 2 }, (request, response) => {
      request.on('data', (chunk) => received.push(chunk)).on('end', () => response.end('x'));
    });
    const stalled = [await open(HALF_BODY), await open(HALF_BODY)];
    await until(() => received.length === 2);
    await until(async () => {
      await open(GET);
      return stalled.some(({ closed }) => closed);
    });
  });

  const answerBody: RequestListener = (request, response) => {
    begun += 1;
    request.resume().on('end', () => response.end('x'));
  };
  const answerMuch: RequestListener = (_request, response) => {
    begun += 1;
    Readable.from(Array.from({ length: 200 }, () => Buffer.alloc(LARGE_BYTES / 200))).pipe(response);
  };

  it('close a connection whose body arrives byte by byte when a new one needs its place', async () => {
    await serve({ max: 10, perAddressMax: 2, pace: PACE }, answerBody);
    const request = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n{';
    const dripping = [await open(request), await open(request)];
    const drips = setInterval(() => {
      for (const socket of dripping) if (socket.writable) socket.write(' ');
    }, 10);
    await until(() => begun === 2);
    await until(async () => {
      await open(GET);
      return dripping.some(({ closed }) => closed);
    });
    clearInterval(drips);
    expect(closings).to.include('displaced');
  });

  it('close a connection whose answer is not read when a new one needs its place', async () => {
    await serve({ max: 10, perAddressMax: 2, pace: PACE }, answerMuch);
    const unread = [await open(GET), await open(GET)];
    for (const socket of unread) socket.pause();
    await until(() => begun === 2);
    await until(async () => {
      (await open(GET)).pause();
      return closings.includes('displaced');
    });
  });

  it('close a connection whose answer is not read for a long time, even if it sends byte by byte', async () => {
    await serve({ max: 10, perAddressMax: 2, pace: { ...PACE, unreadMs: 200 } }, answerMuch);
    const unread = await open(GET);
    unread.pause();
    const drips = setInterval(() => unread.writable && unread.write('\r\n'), 10);
    await until(() => closings.includes('unread'));
    clearInterval(drips);
    expect(closings).to.eql(['unread']);
  });

  it('close it also when the answer began before the end of a body that arrives byte by byte', async () => {
    await serve({ max: 10, perAddressMax: 2, pace: { ...PACE, unreadMs: 200 } }, (request, response) => {
      request.resume();
      answerMuch(request, response);
    });
    const unread = await open('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n{');
    unread.pause();
    const drips = setInterval(() => unread.writable && unread.write(' '), 10);
    try {
      await until(() => closings.includes('unread'));
    } finally {
      clearInterval(drips);
    }
    expect(closings).to.eql(['unread']);
  });

  describe('while time passes', () => {
    const passSweeps = useSweeps();
    let nowMs = 0;
    const readClock = (): number => nowMs;
    const pass = (ms: number): void => {
      nowMs += ms;
      passSweeps(ms);
    };

    it('keep a connection whose body arrives slowly while places are free', async () => {
      let bytes = 0;
      await serve({ max: 10, perAddressMax: 2, pace: PACE, readClock }, (request, response) => {
        request.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        request.on('end', () => response.end('x'));
      });
      const slow = await open(HALF_BODY);
      for (let sent = 1; sent < 9; sent += 1) {
        await until(() => bytes === sent);
        pass(PACE.windowMs / 2);
        slow.write(' ');
      }
      await isAnswered(slow);
      expect(closings).to.eql([]);
    });

    it('keep a connection whose answer is read slowly', async () => {
      const unreadMs = 2_000;
      await serve({ max: 10, perAddressMax: 2, pace: { ...PACE, unreadMs }, readClock }, answerMuch);
      const slow = await open(GET);
      const beganMs = nowMs;
      let bytes = 0;
      slow.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        slow.pause();
        // In all more than the limit, but never so long that the server could send nothing.
        pass((chunk.length / LARGE_BYTES) * 2 * unreadMs);
        setImmediate(() => slow.resume());
      });
      await until(() => bytes >= LARGE_BYTES);
      expect(nowMs - beganMs).to.be.greaterThan(unreadMs);
      expect(closings).to.eql([]);
    });
  });

  it('close a connection of the address with the most when there are too many in all', async () => {
    await serve({ max: 5, perAddressMax: 4 });
    const small = await open('', '127.0.0.2');
    const large = [await open(), await open(), await open(), await open()];
    await isAnswered(await open(GET, '127.0.0.3'));
    await isClosed(large[0]!);
    expect(small.closed).to.equal(false);
  });

  it('no longer count closed connections', async () => {
    await serve({ max: 2, perAddressMax: 1 });
    for (let round = 0; round < 20; round += 1) {
      const socket = await open(GET);
      await isAnswered(socket);
      socket.destroy();
      await once(socket, 'close');
    }
    await isAnswered(await open(GET));
    await isAnswered(await open(GET, '127.0.0.2'));
  });

  it('apply to an address that may have one connection', async () => {
    await serve({ max: 10, perAddressMax: 1 });
    const all = [await open(), await open(), await open()];
    await until(() => closings.length === 2);
    await isClosed(all[0]!);
    await isClosed(all[1]!);
    all[2]!.write(GET);
    await isAnswered(all[2]!);
  });

  it('do not limit a proxy by its address', async () => {
    await serve({ max: 4, perAddressMax: 1, isProxy: createIsProxy(['127.0.0.2']) });
    const all = [await open('', '127.0.0.2'), await open('', '127.0.0.2'), await open('', '127.0.0.2')];
    await isAnswered(await open(GET));
    expect(closings).to.eql([]);
    expect(all.some(({ closed }) => closed)).to.equal(false);
  });

  it('count TLS connections even before their handshake', async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'x' }]);
    await serve({ max: 10, perAddressMax: 2 }, answerAtOnce, createTlsServer({ cert, key }));
    const silent = [await open(), await open()];
    const openTls = () => keep(connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }));
    const first = openTls();
    first.write(GET);
    await isAnswered(first);
    await isClosed(silent[0]!);
    const second = openTls();
    second.write(GET);
    await isAnswered(second);
    await isClosed(silent[1]!);
    expect(closings).to.eql(['displaced', 'displaced']);
  });
});

describe('createIsProxy', () => {
  it('trusts the named addresses and networks, or every connecting address if a number of hops is configured', () => {
    expect(['127.0.0.1', '10.1.2.3', '192.0.2.1'].map(createIsProxy(['loopback', '10.0.0.0/8']))).to.eql([
      true,
      true,
      false,
    ]);
    expect(createIsProxy(1)('192.0.2.1')).to.equal(true);
    expect(createIsProxy(undefined)('127.0.0.1')).to.equal(false);
  });
});
