import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { startTestServer, type TestServer } from './support/testServer.ts';

const sendRaw = (url: string, bytes: string): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  return text(socket);
};

describe('listen', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close().catch(() => {}));

  it('answers what it took before it closes, and takes nothing after', async () => {
    let closed: Promise<void> | undefined;
    server.ledger.beforeAppend = async () => {
      closed = server.close();
    };
    const { status } = await server.request('POST', '/svc/v2/assets', { json: {} });
    expect(status).to.equal(200);
    await closed;
    const error = await server.request('GET', '/openapi.json').catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(Error);
  });

  it('cuts off what is still running when the grace is over', async () => {
    let closed: Promise<void> | undefined;
    server.ledger.beforeAppend = () => {
      closed = server.close();
      return new Promise(() => {});
    };
    const error = await server.request('POST', '/svc/v2/assets', { json: {} }).catch((cut: unknown) => cut);
    expect(error).to.be.instanceOf(Error);
    await closed;
  });

  it('rejects when the port is taken', async () => {
    const { listen } = await import('../../server/listen.ts');
    const { createApp } = await import('../../server/app.ts');
    const options = { host: '127.0.0.1', port: Number(new URL(server.url).port), graceMs: 0 };
    const error = await listen(createApp(server.deps), options).catch((refusal: unknown) => refusal);
    expect(error).to.have.property('code', 'EADDRINUSE');
  });

  const refusals: [string, string, string][] = [
    ['what is not HTTP', 'hello\r\n\r\n', '400 Bad Request'],
    [
      'headers over the limit',
      `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(100_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
    ],
  ];
  for (const [title, bytes, status] of refusals) {
    it(`answers ${title} in the shape of every error`, async () => {
      const [head, body] = (await sendRaw(server.url, bytes)).split('\r\n\r\n') as [string, string];
      expect(head).to.match(new RegExp(`^HTTP/1.1 ${status}\r\n`));
      expect(JSON.parse(body)).to.have.all.keys('code', 'message', 'details');
    });
  }

  it('refuses a body that is far too large unread, and ends the connection', async () => {
    const { token } = await server.tokens.issue(server.tenant.writer);
    const head = `POST /svc/v2/assets HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n`;
    const answer = await sendRaw(
      server.url,
      `${head}content-type: application/json\r\ncontent-length: 999999999\r\n\r\n{`,
    );
    expect(answer).to.match(/^HTTP\/1.1 413 /);
    expect(answer.toLowerCase()).to.include('connection: close');
  });
});
