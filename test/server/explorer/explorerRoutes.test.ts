import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createBrowserIssuers } from '../../../server/auth/tokens/browserIssuers.ts';
import { addConfig } from '../../../server/explorer/explorerConfig.ts';
import { readExplorerFiles } from '../../../server/explorer/explorerFiles.ts';
import { useDirectories } from '../../support/directories.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { getRaw } from '../support/rawAnswers.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';
import { buildExplorerFixture, PAGE, SCRIPT, VERIFIER } from './explorerFixture.ts';

const PAGE_PATHS = ['/', '/assets', '/assets/3f0e', '/assets/3f0e/events/7a11', '/check', '/locations', '/locations/1'];
const OTHER_PAGE_PATHS = [
  '/events',
  '/policies',
  '/policies/1',
  '/node',
  '/node/blocks/7',
  '/p/assets/3f0e',
  '/admin',
  '/admin/x',
  '/sign-in',
];
const UNKNOWN_PATHS = [
  '/index.html',
  '/asset',
  '/Assets',
  '/check/1',
  '/events/1',
  '/node/1',
  '/node/blocks',
  '/node/blocks/7/8',
  '/p',
  '/sign-in/1',
  '/assetsx',
  '/verify',
];
const OUTSIDE = ['/ui/', '/ui/../secret.txt', '/ui/..%2fsecret.txt', '/ui/%2e%2e/secret.txt', '/ui/nested/x.js'];
const NO_PART = ['/ui', '/ui/nested', '/ui/app-1a2b.js.gz', '/ui/app-1a2b.js.br', '/ui/link.js', '/ui/__proto__'];

const CONFIG = {
  contract: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  chain_id: '31337',
  rpc: true,
  blob_bytes_max: 67_108_864,
} as const;

describe('the explorer', () => {
  const createDirectory = useDirectories();
  let server: TestServer;
  before(async () => {
    const directory = await createDirectory();
    await buildExplorerFixture(directory);
    server = await startTestServer({ explorer: addConfig((await readExplorerFiles(directory))!, CONFIG) });
  });
  after(() => server.close());

  for (const path of [...PAGE_PATHS, ...OTHER_PAGE_PATHS]) {
    it(`is one page at ${path}, which is checked again at each load`, async () => {
      const { status, headers, bytes } = await getRaw(server, path);
      expect([status, bytes.toString()]).to.deep.equal([200, PAGE]);
      expect(headers).to.include({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
      const again = await getRaw(server, path, { 'if-none-match': headers.etag! });
      expect([again.status, again.bytes.length]).to.deep.equal([304, 0]);
      const head = await getRaw(server, path, {}, 'HEAD');
      expect([head.status, head.bytes.length, head.headers['content-length']]).to.deep.equal([
        200,
        0,
        `${PAGE.length}`,
      ]);
    });
  }

  it('forbids a browser inline code, other hosts and frames', async () => {
    const { headers } = await getRaw(server, '/');
    expect(headers['content-security-policy']).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers).to.include({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
    expect(headers).to.include({ 'referrer-policy': 'no-referrer', 'cross-origin-resource-policy': 'same-origin' });
  });

  it('has files that stay in caches, in the encodings of the build', async () => {
    const plain = await getRaw(server, '/ui/app-1a2b.js');
    expect([plain.status, plain.bytes.toString()]).to.deep.equal([200, SCRIPT]);
    expect(plain.headers).to.include({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    const brotli = await getRaw(server, '/ui/app-1a2b.js', { 'accept-encoding': 'gzip, br' });
    expect(brotli.headers['content-encoding']).to.equal('br');
    expect(brotliDecompressSync(brotli.bytes).toString()).to.equal(SCRIPT);
    const gzip = await getRaw(server, '/ui/app-1a2b.js', { 'accept-encoding': 'gzip' });
    expect(gzip.headers['content-encoding']).to.equal('gzip');
    expect(gunzipSync(gzip.bytes).toString()).to.equal(SCRIPT);
    expect(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size).to.equal(3);
  });

  it('has files without a compressed form', async () => {
    const { status, headers } = await getRaw(server, '/ui/style-3c4d.css', { 'accept-encoding': 'gzip, br' });
    expect([status, headers['content-encoding']]).to.deep.equal([200, undefined]);
    expect(headers['content-type']).to.equal('text/css; charset=utf-8');
  });

  it('has the verifier as a file to save, which cannot run at this origin', async () => {
    const { status, headers, bytes } = await getRaw(server, '/verify.html');
    expect([status, bytes.toString()]).to.deep.equal([200, VERIFIER]);
    expect(headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'attachment; filename="verify.html"',
      'content-security-policy': "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    const brotli = await getRaw(server, '/verify.html', { 'accept-encoding': 'gzip, br' });
    expect(brotliDecompressSync(brotli.bytes).toString()).to.equal(VERIFIER);
    const gzip = await getRaw(server, '/verify.html', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(gzip.bytes).toString()).to.equal(VERIFIER);
  });

  it('says without a token which contract it shows, and is asked for it each time', async () => {
    const { status, headers, bytes } = await getRaw(server, '/ui/config.json');
    expect([status, JSON.parse(bytes.toString())]).to.deep.equal([200, { ...CONFIG, issuers: [] }]);
    expect(headers).to.include({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' });
  });

  it('serves no other file, whatever the path', async () => {
    for (const path of [...OUTSIDE, ...NO_PART]) {
      const { status, bytes } = await getRaw(server, path);
      expect([path, status]).to.deep.equal([path, 404]);
      expect(JSON.parse(bytes.toString()).details[0].error).to.equal('ROUTE_NOT_FOUND');
    }
  });

  it('leaves every other path to the API', async () => {
    for (const path of [...UNKNOWN_PATHS, '/svc/assets', '/archivist'])
      expectProblem(await server.request('GET', path), 404, 'ROUTE_NOT_FOUND');
    expectProblem(await server.request('POST', '/', { json: {} }), 404, 'ROUTE_NOT_FOUND');
    expect((await server.request('GET', '/svc/v2/assets')).status).to.equal(200);
    expect((await server.request('GET', '/docs', { as: null })).body).to.include('swagger');
    expect((await server.request('GET', '/healthz', { as: null })).body).to.deep.equal({ status: 'alive' });
    expect(server.unexpected).to.deep.equal([]);
  });

  it('is limited for each address', async () => {
    const none = { perSecond: 0, burst: 0 };
    const rates = { tenant: none, open: { perSecond: 2, burst: 1 }, tokenFailuresPerMinute: 0 };
    const limited = await startTestServer({ ...server.deps, rates });
    const statuses = new Set<number>();
    for (const path of ['/', '/ui/app-1a2b.js', '/check', '/ui/style-3c4d.css', '/node', '/admin', '/'])
      statuses.add((await limited.request('GET', path, { as: null })).status);
    expect([...statuses].sort()).to.deep.equal([200, 429]);
    await limited.close();
  });
});

describe('the explorer of a server with issuers for browsers', () => {
  const createDirectory = useDirectories();
  const ENDPOINTS = {
    authorization_endpoint: 'https://login.example/authorize',
    token_endpoint: 'https://tokens.example:8443/token',
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ['ES256'],
  };
  const issuer = 'https://login.example';
  const browser = { clientId: 'explorer', scope: 'openid' };

  it('has their endpoints in its configuration and its policy as soon as they are known', async () => {
    const directory = await createDirectory();
    await buildExplorerFixture(directory);
    const { promise, resolve } = Promise.withResolvers<typeof ENDPOINTS>();
    const issuers = createBrowserIssuers([{ issuer, browser }], {
      fetchEndpoints: () => promise,
      nowMs: () => 0,
      onProblem: () => undefined,
    });
    const server = await startTestServer({
      explorer: addConfig((await readExplorerFiles(directory))!, CONFIG, issuers),
    });
    const read = async () => {
      const config = await server.request('GET', '/ui/config.json', { as: null });
      const { headers } = await server.request('GET', '/sign-in', { as: null });
      return { ...config, policy: headers.get('content-security-policy') };
    };
    const before = await read();
    expect(before.body.issuers).to.deep.equal([{ issuer, client_id: 'explorer', scope: 'openid', endpoints: null }]);
    expect(before.policy).to.include("connect-src 'self'; form-action 'none'");
    resolve(ENDPOINTS);
    await promise;
    const after = await read();
    expect(after.body.issuers[0].endpoints).to.deep.equal(ENDPOINTS);
    expect(after.policy).to.include("connect-src 'self' https://tokens.example:8443; form-action 'none'");
    expect(after.headers.get('etag')).not.to.equal(before.headers.get('etag'));
    await server.close();
  });
});

describe('an explorer that is not built', () => {
  const createDirectory = useDirectories();

  it('leaves / to the API', async () => {
    expect(await readExplorerFiles(await createDirectory())).to.equal(undefined);
    expect(await readExplorerFiles('/nonexistent/explorer')).to.equal(undefined);
    const server = await startTestServer();
    expectProblem(await server.request('GET', '/'), 404, 'ROUTE_NOT_FOUND');
    expectProblem(await server.request('GET', '/check'), 404, 'ROUTE_NOT_FOUND');
    await server.close();
  });
});
