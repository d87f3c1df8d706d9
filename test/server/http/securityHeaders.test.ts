import { expect } from 'chai';
import { upload } from '../support/uploads.ts';
import { useServer } from '../support/useServer.ts';

const API_POLICY = "default-src 'none';base-uri 'none';frame-ancestors 'none'";

describe('the security headers', () => {
  const server = useServer();

  const paths: [string, number][] = [
    ['/svc/v2/assets', 200],
    ['/svc/v2/assets/nonsense', 400],
    ['/nowhere', 404],
    ['/svc/v2/assets/%ff', 400],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/openapi.json', 200],
    ['/.well-known/jwks.json', 200],
  ];
  for (const [path, status] of paths) {
    it(`are on ${path}, and forbid a browser to load anything`, async () => {
      const answer = await server.request('GET', path);
      expect(answer.status).to.equal(status);
      expect(answer.headers.get('content-security-policy')).to.equal(API_POLICY);
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(answer.headers.get('x-frame-options')).to.equal('DENY');
      expect(answer.headers.get('referrer-policy')).to.equal('no-referrer');
      expect(answer.headers.get('strict-transport-security')).to.equal('max-age=31536000');
      expect(answer.headers.get('cross-origin-resource-policy')).to.equal('same-origin');
      expect(answer.headers.get('x-powered-by')).to.equal(null);
    });
  }

  it('do not replace the policy of a download', async () => {
    const { body } = await upload(server, '<script>alert(1)</script>');
    const { headers } = await server.request('GET', `/svc/v1/${body.identity}`);
    expect(headers.get('content-security-policy')).to.equal("sandbox; default-src 'none'");
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
  });

  it('do not replace the policy of the pages, which allows their scripts', async () => {
    const { headers } = await server.request('GET', '/docs', { as: null });
    expect(headers.get('content-security-policy')).to.include("script-src 'self'");
  });
});
