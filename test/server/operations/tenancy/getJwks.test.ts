import { expect } from 'chai';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { AUDIENCE, ISSUER } from '../../support/testServer.ts';
import { useServer } from '../../support/useServer.ts';

describe('GET /.well-known/jwks.json', () => {
  const server = useServer();

  it('needs no token and shows the public key only', async () => {
    const { status, body } = await server.request('GET', '/.well-known/jwks.json', { as: null });
    expect(status).to.equal(200);
    expect(body.keys).to.have.length(1);
    expect(body.keys[0]).to.have.all.keys('kty', 'crv', 'x', 'y', 'kid', 'alg', 'use');
  });

  it('lets a third party verify a token', async () => {
    const { body } = await server.request('GET', '/.well-known/jwks.json', { as: null });
    const { token } = await server.tokens.issue(server.tenant.root);
    const options = { issuer: ISSUER, audience: AUDIENCE, currentDate: new Date(server.clock.atMs) };
    const { payload } = await jwtVerify(token, createLocalJWKSet(body), options);
    expect(payload.sub).to.equal(server.tenant.root.subject);
  });

  it('is outside of the prefixes', async () => {
    expect((await server.request('GET', '/svc/.well-known/jwks.json')).status).to.equal(404);
  });
});
