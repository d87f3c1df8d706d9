import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { createAnAsset, createAnEvent } from '../../support/requests.ts';
import { startTestServer } from '../../support/testServer.ts';
import { useServer } from '../../support/useServer.ts';

const NO_UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';

const HOSTS = ['127.0.0.1', 'ledger.example', 'ledger_1:8080', '[::1]', '10.0.0.1'];

describe(':publicurl', () => {
  let publicUuid: string;
  let privateUuid: string;
  const server = useServer({ publicHosts: HOSTS });
  before(async () => {
    publicUuid = await createAnAsset(server, { public: true });
    privateUuid = await createAnAsset(server);
  });
  const get = (path: string) => server.request('GET', path);

  it('returns the public URL of the asset and the event, under the prefix of the request', async () => {
    const event = await createAnEvent(server, publicUuid);
    const eventUuid = event.identity.slice(-36);
    for (const prefix of ['svc', 'archivist']) {
      const base = `${server.url}/${prefix}/v2/publicassets/${publicUuid}`;
      const asset = await get(`/${prefix}/v2/assets/${publicUuid}:publicurl`);
      expect([asset.status, asset.body]).to.eql([200, { publicurl: base }]);
      const { status, body } = await get(`/${prefix}/v2/assets/${publicUuid}/events/${eventUuid}:publicurl`);
      expect([status, body]).to.eql([200, { publicurl: `${base}/events/${eventUuid}` }]);
      for (const { publicurl } of [asset.body, body]) expect((await fetch(publicurl)).status).to.equal(200);
    }
  });

  it('are reported to the operator when only this machine can open them, and not with a configured URL', async () => {
    const urls: string[] = [];
    const onLoopbackUrl = (url: string): void => void urls.push(url);
    for (const publicUrl of [undefined, 'https://ledger.example']) {
      const asked = await startTestServer({ publicHosts: HOSTS, publicUrl, onLoopbackUrl });
      const uuid = await createAnAsset(asked, { public: true });
      const { body } = await asked.request('GET', `/svc/v2/assets/${uuid}:publicurl`);
      expect(urls).to.deep.equal(publicUrl === undefined ? [body.publicurl] : []);
      urls.length = 0;
      await asked.close();
    }
  });

  it('accepts UUIDs in either case', async () => {
    const { body } = await get(`/svc/v2/assets/${publicUuid.toUpperCase()}:publicurl`);
    expect(body.publicurl).to.match(new RegExp(`/${publicUuid}$`));
  });

  it('exists right after the creation, even before it is on the chain', async () => {
    const fresh = await startTestServer();
    fresh.ledger.isChainAway = true;
    const uuid = await createAnAsset(fresh, { public: true });
    const { status, body } = await fresh.request('GET', `/svc/v2/assets/${uuid}:publicurl`);
    expect(status).to.equal(200);
    const answer = await fetch(body.publicurl);
    expect(await answer.json()).to.include({ confirmation_status: 'PENDING', public: true });
    await fresh.close();
  });

  it("answers 404 for private, missing and other tenants' records alike", async () => {
    const own = await createAnEvent(server, privateUuid);
    const paths = [
      `assets/${privateUuid}`,
      `assets/${NO_UUID}`,
      `${own.identity}`,
      `assets/${publicUuid}/events/${NO_UUID}`,
      `assets/${NO_UUID}/events/${NO_UUID}`,
    ];
    for (const path of paths) {
      const error = path.includes('/events/') ? 'EVENT_NOT_FOUND' : 'ASSET_NOT_FOUND';
      expectProblem(await get(`/svc/v2/${path}:publicurl`), 404, error);
    }
    const foreign = { as: server.otherTenant.root };
    const { body } = await get(`/svc/v2/assets/${publicUuid}/events?page_size=1`);
    for (const path of [`assets/${publicUuid}`, body.events[0].identity]) {
      expect((await server.request('GET', `/svc/v2/${path}:publicurl`, foreign)).status).to.equal(404);
    }
  });

  it('refuses what is not a UUID, and other verbs', async () => {
    expectProblem(await get('/svc/v2/assets/x:publicurl'), 400, 'IDENTITY_INVALID', 'uuid');
    expectProblem(await get(`/svc/v2/assets/${publicUuid}:privateurl`), 400, 'IDENTITY_INVALID', 'uuid');
    expectProblem(await get(`/svc/v2/assets/${publicUuid}/events/x:publicurl`), 400, 'IDENTITY_INVALID', 'uuid');
    const posted = await server.request('POST', `/svc/v2/assets/${publicUuid}:publicurl`, { json: {} });
    expectProblem(posted, 405, 'METHOD_NOT_ALLOWED');
  });

  it('has the configured scheme and host, whatever the request contains', async () => {
    const fresh = await startTestServer({ publicUrl: 'https://ledger.example' });
    const uuid = await createAnAsset(fresh, { public: true });
    const { body } = await fresh.request('GET', `/archivist/v2/assets/${uuid}:publicurl`);
    expect(body).to.eql({ publicurl: `https://ledger.example/archivist/v2/publicassets/${uuid}` });
    await fresh.close();
  });

  const getWithHost = async (host: string): Promise<{ status: number; body: Record<string, unknown> }> => {
    const { token } = await server.tokens.issue(server.tenant.reader);
    const { hostname, port } = new URL(server.url);
    const path = `/svc/v2/assets/${publicUuid}:publicurl`;
    return new Promise((resolve, reject) => {
      const headers = { host, authorization: `Bearer ${token}` };
      const request = httpRequest({ hostname, port, path, headers }, async (response) =>
        resolve({ status: response.statusCode!, body: JSON.parse(await text(response)) }),
      );
      request.on('error', reject).end();
    });
  };

  it('has the host of the request if that is a configured name', async () => {
    for (const host of ['ledger.example', 'LEDGER.example:9000', 'ledger_1:8080', '[::1]:8080', '10.0.0.1']) {
      const { status, body } = await getWithHost(host);
      expect([host, status, body.publicurl]).to.eql([host, 200, `http://${host}/svc/v2/publicassets/${publicUuid}`]);
    }
    const foreign = ['evil.example', 'ledger.example.evil.example', 'ledger_1', 'ledger_1:8081', 'x.ledger.example'];
    const malformed = [
      'a/b',
      'a@b',
      'a?b',
      '"',
      'a b',
      'a:b',
      'ledger.example:',
      'ledger.example:99999',
      'ledger.example/x',
    ];
    for (const host of [...foreign, ...malformed]) {
      const { status, body } = await getWithHost(host);
      expect([host, status]).to.eql([host, 400]);
      expect(body.details).to.have.nested.property('[0].field', 'host');
      if (foreign.includes(host)) expect(JSON.stringify(body)).not.to.include(host);
    }
  });

  it("is the only answer that repeats the request's host, and never a foreign one", async () => {
    const { token } = await server.tokens.issue(server.tenant.reader);
    const { hostname, port } = new URL(server.url);
    const paths = [
      '/',
      '/docs',
      '/docs/',
      '/docs/start.js',
      '/docs/compliance',
      '/openapi.json',
      '/docs/compliance.json',
    ];
    const more = [
      '/healthz',
      '/readyz',
      '/.well-known/jwks.json',
      '/svc',
      '/svc/v2/assets',
      '/svc/v2/assets/',
      '/svc//x',
    ];
    const own = [`/svc/v2/assets/${publicUuid}:publicurl`, `/svc/v2/publicassets/${publicUuid}`, '/archivist/v1/node'];
    for (const path of [...paths, ...more, ...own]) {
      for (const target of [path, `http://evil.example${path}`]) {
        const lines = [`GET ${target} HTTP/1.1`, 'host: evil.example', 'x-forwarded-host: evil.example'];
        const bytes = [...lines, `authorization: Bearer ${token}`, 'connection: close', '', ''].join('\r\n');
        const socket = connect(Number(port), hostname, () => socket.write(bytes));
        const answer = await text(socket);
        expect(answer, target).to.match(/^HTTP\/1.1 /);
        expect(answer, target).not.to.include('evil');
      }
    }
  });
});
