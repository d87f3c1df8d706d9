import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createAnAsset } from '../support/requests.ts';
import { useServer } from '../support/useServer.ts';

describe('a request, by its target and headers,', () => {
  let token: string;
  const server = useServer({ publicHosts: ['ledger.example'] });
  before(async () => {
    ({ token } = await server.tokens.issue(server.tenant.writer));
  });

  const send = async (lines: string[]): Promise<{ status: number; body: Record<string, unknown> }> => {
    const { hostname, port } = new URL(server.url);
    const bytes = [...lines, `authorization: Bearer ${token}`, 'connection: close', '', ''].join('\r\n');
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
  };

  it('is refused without a host, in the shape of every error', async () => {
    const { status, body } = await send(['GET /svc/v2/assets HTTP/1.1']);
    expect(status).to.equal(400);
    expect(body).to.deep.include({ code: 3, message: 'host: is missing' });
    expect(body.details).to.eql([{ error: 'REQUEST_INVALID', field: 'host', description: 'is missing' }]);
  });

  it('is refused with two hosts', async () => {
    const { status, body } = await send(['GET /svc/v2/assets HTTP/1.1', 'host: x', 'Host: y']);
    expect([status, body.message]).to.eql([400, 'host: is given more than once']);
  });

  it('is refused with two credentials, whatever the second is', async () => {
    for (const second of ['Bearer nonsense', `Bearer ${token}`]) {
      const { status, body } = await send(['GET /svc/v2/assets HTTP/1.1', 'host: x', `Authorization: ${second}`]);
      expect([status, body.message]).to.eql([400, 'authorization: is given more than once']);
    }
  });

  it('may have an unknown expectation', async () => {
    expect((await send(['GET /svc/v2/assets HTTP/1.1', 'host: x', 'expect: the-best'])).status).to.equal(200);
  });

  it('may have no host in HTTP/1.0', async () => {
    expect((await send(['GET /svc/v2/assets HTTP/1.0'])).status).to.equal(200);
  });

  it('gets no public URL without a host', async () => {
    const asset = await createAnAsset(server, { public: true });
    const { status, body } = await send([`GET /svc/v2/assets/${asset}:publicurl HTTP/1.0`]);
    expect(status).to.equal(400);
    expect(body.details).to.have.nested.property('[0].field', 'host');
  });

  it('may have an absolute URL as its target, whose host is used', async () => {
    const asset = await createAnAsset(server, { public: true });
    const url = `http://ledger.example:8080/svc/v2/assets/${asset}`;
    expect((await send([`GET ${url} HTTP/1.1`, 'host: x'])).body).to.include({ identity: `assets/${asset}` });
    const { body } = await send([`GET ${url}:publicurl HTTP/1.1`, 'host: other.example']);
    expect(body.publicurl).to.equal(`http://ledger.example:8080/svc/v2/publicassets/${asset}`);
  });

  it('may have an absolute URL with a query, or without a path', async () => {
    const listed = await send(['GET HTTP://x/svc/v2/assets?page_size=1 HTTP/1.1', 'host: x']);
    expect(listed.status).to.equal(200);
    expect((await send(['GET http://x?page_size=1 HTTP/1.1', 'host: x'])).status).to.equal(404);
    const strict = await send(['GET http://x/svc/v2/assets?nonsense=1 HTTP/1.1', 'host: x']);
    expect(strict.status).to.equal(400);
  });

  it('may encode characters that need no encoding, and `:`', async () => {
    const asset = await createAnAsset(server, { public: true });
    const paths = [
      `/svc/v2/assets/${asset}`,
      `/svc/v2/assets/${asset.replaceAll('-', '%2D')}`,
      `/svc/v2/%61ssets/${asset}`,
      '/svc/v1/compliance%5Fpolicies',
      `/svc/v2/assets/${asset}/%65vents?page_size=1`,
      '/%73%76%63/%76%32/assets',
      `/svc/v2/assets/${asset}%3Apublicurl`,
      `/svc/v2/publicassets/${asset}%3aevidence`,
      'http://ledger.example/svc/%762/assets',
      '/%68ealthz',
    ];
    for (const path of paths)
      expect((await send([`GET ${path} HTTP/1.1`, 'host: ledger.example'])).status, path).to.equal(200);
  });

  it('keeps an encoded `/`, `?` and `%` in its path as they are', async () => {
    const asset = await createAnAsset(server);
    for (const path of [`/svc/v2%2Fassets/${asset}`, `/svc/v2/assets%3Fpage_size=1`, `/svc/v2/%2561ssets/${asset}`])
      expect((await send([`GET ${path} HTTP/1.1`, 'host: x'])).status, path).to.equal(404);
    const body = await send([`GET /svc/v2/assets?attributes.a%2Eb=%41 HTTP/1.1`, 'host: x']);
    expect(body.status).to.equal(200);
  });

  it('is refused if its target has no path', async () => {
    for (const target of ['ftp://x/svc/v2/assets', 'http:///svc/v2/assets', '*'])
      expect((await send([`GET ${target} HTTP/1.1`, 'host: x'])).status, target).to.be.oneOf([400, 404]);
  });
});
