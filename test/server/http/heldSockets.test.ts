import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { generate } from 'selfsigned';
import { holdSockets } from '../../../server/http/heldSockets.ts';

describe('the sockets of a server that holds them', () => {
  const servers: Server[] = [];
  let reported: Error[];
  beforeEach(() => {
    reported = [];
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  const listen = async <T extends Server>(server: T): Promise<T> => {
    servers.push(server);
    holdSockets(server, (error) => reported.push(error));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const open = (server: Server): Socket =>
    connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);

  it('have a listener for errors after a CONNECT, when Node has none', async () => {
    const server = await listen(createServer());
    const client = open(server);
    client.write('CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n');
    const [, socket] = (await once(server, 'connect')) as [unknown, Socket];
    // `once` of events would listen for errors.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    client.resetAndDestroy();
    socket.write('x'.repeat(9_000_000));
    await closed;
    expect(socket.errored).to.be.instanceOf(Error);
  });

  it('have one after a failed handshake, and below and above the encryption', async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'a' }]);
    const server = await listen(createTlsServer({ cert, key }));
    server.on('clientError', () => undefined);
    const sockets: Duplex[] = [];
    server.on('connection', (socket) => sockets.push(socket));
    server.on('tlsClientError', (_error, socket) => sockets.push(socket));
    server.on('secureConnection', (socket) => sockets.push(socket));
    open(server).write('GET / HTTP/1.1\r\n\r\n');
    await once(server, 'tlsClientError');
    const { port } = server.address() as AddressInfo;
    const client = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => undefined);
    await once(server, 'secureConnection');
    client.destroy();
    expect(sockets).to.have.length(4);
    for (const socket of sockets) {
      expect(socket.listenerCount('error')).to.be.greaterThan(0);
    }
  });

  it('are accepted further after the system refused one, which is reported once', async () => {
    const server = await listen(createServer((_request, response) => response.end('x')));
    const refusal = Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' });
    for (let time = 0; time < 3; time += 1) server.emit('error', refusal);
    expect(reported).to.deep.equal([refusal]);
    const client = open(server);
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    const [chunk] = (await once(client, 'data')) as [Buffer];
    expect(chunk.toString()).to.match(/^HTTP\/1.1 200 /);
  });

  it('leave an address that is taken to the caller that opens it', async () => {
    const first = await listen(createServer());
    const second = createServer();
    servers.push(second);
    holdSockets(second, (error) => reported.push(error));
    second.listen((first.address() as AddressInfo).port, '127.0.0.1');
    const [error] = (await once(second, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).to.equal('EADDRINUSE');
    expect(reported).to.deep.equal([]);
  });
});
