import { expect } from 'chai';
import { readDocument } from '../../server/document.ts';
import { LIMITS, startTestServer, type TestServer } from './support/testServer.ts';

const PAGES = ['/docs', '/docs/compliance'];

describe('GET /docs', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());
  const get = (path: string) => server.request('GET', path, { as: null });

  for (const page of PAGES) {
    it(`${page} is a page without inline script whose parts all come from this server`, async () => {
      const { status, body, headers } = await get(page);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(body).not.to.match(/<script(?![^>]*\ssrc=)|\son\w+=|https?:|\/\/[a-z]/);
      const parts = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
      expect(parts).to.have.length(4);
      for (const path of parts) {
        const part = await get(path);
        expect([path, part.status]).to.eql([path, 200]);
        expect(part.headers.get('x-content-type-options')).to.equal('nosniff');
      }
    });

    it(`${page} lets the browser load nothing from elsewhere`, async () => {
      const policy = (await get(page)).headers.get('content-security-policy')!;
      expect(policy).to.match(/^default-src 'none'; script-src 'self';/);
      expect(policy).not.to.match(/https?:|\*|unsafe-eval/);
    });
  }

  it('shows the document, with the configured limits, and asks no validator about it', async () => {
    const { body } = await get('/openapi.json');
    expect(body).to.eql(readDocument(LIMITS));
    const start = (await get('/docs/start.js')).body;
    expect(start).to.include("url: '/openapi.json'").and.to.include('validatorUrl: null');
  });

  it('shows the compliance operations as OpenAPI 2.0', async () => {
    expect((await get('/docs/compliance.json')).body).to.deep.include({ swagger: '2.0', basePath: '/svc' });
    expect((await get('/docs/compliance-start.js')).body).to.include("url: '/docs/compliance.json'");
  });

  it('gives away no other file', async () => {
    for (const path of ['/docs/package.json', '/docs/index.html', '/docs/..%2fpackage.json', '/openapi.yaml']) {
      expect((await get(path)).status).to.equal(404);
    }
  });
});
