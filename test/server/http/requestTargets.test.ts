import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createAnAsset } from '../support/requests.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';

describe('the target of a request', () => {
  let server: TestServer;
  let token: string;
  before(async () => {
    server = await startTestServer({ publicHosts: ['ledger.example'] });
    ({ token } = await server.tokens.issue(server.tenant.writer));
  });
  after(() => server.close());

  const send = async (lines: string[]): Promise<{ status: number; body: Record<string, unknown> }> => {
    const { hostname, port } = new URL(server.url);
    const bytes = [...lines, `authorization: Bearer ${token}`, 'connection: close', '', ''].join('\r\n');
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
  };

  it('without a host is refused in the shape of every error', async () => {
    const { status, body } = await send(['GET /svc/v2/assets HTTP/1.1']);
    expect(status).to.equal(400);
    expect(body).to.deep.include({ code: 3, message: 'host: is missing' });
    expect(body.details).to.eql([{ error: 'REQUEST_INVALID', field: 'host', description: 'is missing' }]);
  });

  it('with two hosts is refused', async () => {
    const { status, body } = await send(['GET /svc/v2/assets HTTP/1.1', 'host: x', 'Host: y']);
    expect([status, body.message]).to.eql([400, 'host: is given more than once']);
  });

  it('with two credentials is refused, whatever the second is', async () => {
    for (const second of ['Bearer nonsense', `Bearer ${token}`]) {
      const { status, body } = await send(['GET /svc/v2/assets HTTP/1.1', 'host: x', `Authorization: ${second}`]);
      expect([status, body.message]).to.eql([400, 'authorization: is given more than once']);
    }
  });

  it('may come with expectations that nobody knows', async () => {
    expect((await send(['GET /svc/v2/assets HTTP/1.1', 'host: x', 'expect: the-best'])).status).to.equal(200);
  });

  it('may be without a host in HTTP/1.0', async () => {
    expect((await send(['GET /svc/v2/assets HTTP/1.0'])).status).to.equal(200);
  });

  it('without a host gets no public URL', async () => {
    const asset = await createAnAsset(server, { public: true });
    const { status, body } = await send([`GET /svc/v2/assets/${asset}:publicurl HTTP/1.0`]);
    expect(status).to.equal(400);
    expect(body.details).to.have.nested.property('[0].field', 'host');
  });

  it('may be a whole URL, whose host counts', async () => {
    const asset = await createAnAsset(server, { public: true });
    const url = `http://ledger.example:8080/svc/v2/assets/${asset}`;
    expect((await send([`GET ${url} HTTP/1.1`, 'host: x'])).body).to.include({ identity: `assets/${asset}` });
    const { body } = await send([`GET ${url}:publicurl HTTP/1.1`, 'host: other.example']);
    expect(body.publicurl).to.equal(`http://ledger.example:8080/svc/v2/publicassets/${asset}`);
  });

  it('may be a whole URL with a query, or without a path', async () => {
    const listed = await send(['GET HTTP://x/svc/v2/assets?page_size=1 HTTP/1.1', 'host: x']);
    expect(listed.status).to.equal(200);
    expect((await send(['GET http://x?page_size=1 HTTP/1.1', 'host: x'])).status).to.equal(404);
    const strict = await send(['GET http://x/svc/v2/assets?nonsense=1 HTTP/1.1', 'host: x']);
    expect(strict.status).to.equal(400);
  });

  it('that is no path is refused', async () => {
    for (const target of ['ftp://x/svc/v2/assets', 'http:///svc/v2/assets', '*'])
      expect((await send([`GET ${target} HTTP/1.1`, 'host: x'])).status, target).to.be.oneOf([400, 404]);
  });
});
