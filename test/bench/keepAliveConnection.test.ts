import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { openConnection, readAnswer } from '../../bench/load/keepAliveConnection.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\nX: y\r\n\r\n{"a":1}';

const urlOf = (server: { address(): unknown }): URL =>
  new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base`);

describe('the reader of answers', () => {
  it('reads an answer only when all of it has arrived', () => {
    for (let length = 0; length < ANSWER.length; length += 1)
      expect(readAnswer(ANSWER.slice(0, length)), `${length}`).to.equal(undefined);
    expect(readAnswer(ANSWER)).to.deep.equal({ status: 200, body: '{"a":1}' });
  });

  it('refuses what it cannot read', () => {
    expect(() => readAnswer('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')).to.throw('cannot read');
    expect(() => readAnswer('SSH-2.0\r\n\r\n')).to.throw('cannot read');
    expect(() => readAnswer(`${ANSWER}HTTP/1.1 200`)).to.throw('more follows');
  });
});

describe('a keep-alive connection', () => {
  let server: Server;
  let connections = 0;

  before(async () => {
    server = createServer(async (request, response) => {
      const body = await text(request);
      const answer = JSON.stringify([request.method, request.url, request.headers.authorization, body, 'é']);
      response.writeHead(201, { 'content-length': Buffer.byteLength(answer) }).end(answer);
    }).listen(0, '127.0.0.1');
    server.on('connection', () => {
      connections += 1;
    });
    await once(server, 'listening');
  });

  after(() => server.close());

  it('posts one body after another over one connection', async () => {
    const connection = openConnection(urlOf(server), { authorization: 'Bearer x' });
    for (const body of ['{}', '{"long":"body"}', '']) {
      const answer = await connection.post('/path', body);
      expect(answer.status).to.equal(201);
      expect(JSON.parse(Buffer.from(answer.body, 'latin1').toString())).to.deep.equal([
        'POST',
        '/base/path',
        'Bearer x',
        body,
        'é',
      ]);
    }
    expect(connections).to.equal(1);
    connection.close();
  });

  it('rejects when the server closes the connection before it answers, and afterwards', async () => {
    const closing = createTcpServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 200'))).listen(0);
    await once(closing, 'listening');
    const connection = openConnection(urlOf(closing), {});
    const failures: string[] = [];
    for (let time = 0; time < 2; time += 1)
      await connection.post('/', '{}').catch((error: Error) => failures.push(error.message));
    expect(failures).to.deep.equal(['the server closed the connection', 'the connection is closed']);
    closing.close();
  });

  it('rejects when nothing listens', async () => {
    const closed = createTcpServer().listen(0);
    await once(closed, 'listening');
    const url = urlOf(closed);
    closed.close();
    await once(closed, 'close');
    const failure = await openConnection(url, {})
      .post('/', '{}')
      .catch((error: Error) => error);
    expect(String(failure)).to.include('ECONNREFUSED');
  });
});
