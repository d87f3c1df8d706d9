import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem } from './support/expectProblem.ts';
import { createAnAsset } from './support/requests.ts';
import { startTestServer, type TestServer, toApplication } from './support/testServer.ts';

const PATH = '/svc/v2/assets';

describe('authentication', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close());

  const get = (authorization: string) =>
    server.request('GET', PATH, { as: null, headers: authorization === '' ? {} : { authorization } });

  it('refuses a request without a bearer token and says how to authenticate', async () => {
    const { token } = await server.tokens.issue(server.tenant.reader);
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      token,
      `Bearer ${token} x`,
      'Bearer a.b.c',
    ]) {
      const answer = await get(authorization);
      expectProblem(answer, 401, 'UNAUTHENTICATED');
      expect(answer.headers.get('www-authenticate')).to.equal('Bearer');
    }
  });

  it('takes the scheme in any case', async () => {
    const { token } = await server.tokens.issue(server.tenant.reader);
    expect((await get(`bearer ${token}`)).status).to.equal(200);
  });

  it('refuses before it looks at the body', async () => {
    const headers = { 'content-type': 'text/plain' };
    const unknown = await server.request('POST', PATH, { as: null, body: '{', headers });
    expectProblem(unknown, 401, 'UNAUTHENTICATED');
    const reader = await server.request('POST', PATH, { as: server.tenant.reader, body: '{', headers });
    expectProblem(reader, 403, 'FORBIDDEN');
  });

  it('lets a reader read and not write, and names the missing right', async () => {
    const as = server.tenant.reader;
    expect((await server.request('GET', PATH, { as })).status).to.equal(200);
    const answer = await server.request('POST', PATH, { as, json: {} });
    expectProblem(answer, 403, 'FORBIDDEN', 'authorization');
    expect(answer.body.details[0].description).to.include('"writer"');
    expect(server.ledger.records).to.eql([]);
  });

  it('lets a writer and a root principal read and write', async () => {
    for (const as of [server.tenant.writer, server.tenant.root]) {
      await createAnAsset(server, {}, { as });
      expect((await server.request('GET', PATH, { as })).status).to.equal(200);
    }
  });

  it('refuses the token of an application that the ledger does not know', async () => {
    const as = { ...server.tenant.reader, clientId: randomUUID() };
    expectProblem(await server.request('GET', PATH, { as }), 401, 'UNAUTHENTICATED');
  });

  it('grants what both the token and the application as it is now say', async () => {
    const { writer } = server.tenant;
    const record = toApplication(writer.clientId!, writer.name, ['reader']);
    await server.ledger.mine({ tenantIdentity: writer.tenantIdentity, record });
    expectProblem(
      await server.request('POST', PATH, { as: { ...writer, roles: ['reader', 'writer'] }, json: {} }),
      403,
      'FORBIDDEN',
    );
    expectProblem(await server.request('GET', PATH, { as: writer }), 401, 'UNAUTHENTICATED');
    expectProblem(await server.request('GET', PATH, { as: { ...writer, roles: ['root'] } }), 401, 'UNAUTHENTICATED');
  });

  it('refuses an application under another tenant than its own', async () => {
    const as = { ...server.tenant.writer, tenantIdentity: server.otherTenant.identity };
    expectProblem(await server.request('GET', PATH, { as }), 401, 'UNAUTHENTICATED');
  });

  it('refuses a root token of a tenant that does not exist', async () => {
    const as = { ...server.tenant.root, tenantIdentity: `tenant/${randomUUID()}` };
    expectProblem(await server.request('GET', PATH, { as }), 401, 'UNAUTHENTICATED');
  });

  it('refuses a root token of somebody who is not a root principal of the tenant', async () => {
    expectProblem(
      await server.request('GET', PATH, { as: { ...server.tenant.root, subject: 'x' } }),
      401,
      'UNAUTHENTICATED',
    );
    const elsewhere = { ...server.tenant.root, tenantIdentity: server.otherTenant.identity };
    expectProblem(await server.request('GET', PATH, { as: elsewhere }), 401, 'UNAUTHENTICATED');
  });
});
