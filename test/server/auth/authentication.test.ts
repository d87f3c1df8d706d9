import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { LedgerView } from '../../../indexer/ledgerView.ts';
import { createAuthenticate } from '../../../server/auth/authentication.ts';
import { toSecretId } from '../../../server/auth/tokens/secretId.ts';
import type { TokenSubject } from '../../../server/auth/tokens/tokenContent.ts';
import { NOT_REFUSED, rejectionOf } from '../../support/refusals.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { createAnAsset } from '../support/requests.ts';
import { ISSUER, toApplication } from '../support/testServer.ts';
import { useNewServer } from '../support/useServer.ts';

const PATH = '/svc/v2/locations';

describe('authentication', () => {
  const server = useNewServer();

  const get = (authorization: string) =>
    server.request('GET', PATH, { as: null, headers: authorization === '' ? {} : { authorization } });

  it('refuses a request without a valid bearer token, and states the scheme', async () => {
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
      const isToken = /^Bearer +\S/.test(authorization);
      expect(answer.headers.get('www-authenticate')).to.equal(isToken ? 'Bearer error="invalid_token"' : 'Bearer');
    }
  });

  it('accepts the scheme in any case', async () => {
    const { token } = await server.tokens.issue(server.tenant.reader);
    expect((await get(`bearer ${token}`)).status).to.equal(200);
  });

  it('refuses before it reads the body', async () => {
    const headers = { 'content-type': 'text/plain' };
    const unknown = await server.request('POST', PATH, { as: null, body: '{', headers });
    expectProblem(unknown, 401, 'UNAUTHENTICATED');
    const reader = await server.request('POST', PATH, { as: server.tenant.reader, body: '{', headers });
    expectProblem(reader, 403, 'FORBIDDEN');
  });

  it('allows a reader to read but not to write, and names the missing right', async () => {
    const as = server.tenant.reader;
    expect((await server.request('GET', PATH, { as })).status).to.equal(200);
    const answer = await server.request('POST', PATH, { as, json: {} });
    expectProblem(answer, 403, 'FORBIDDEN', 'authorization');
    expect(answer.body.details[0].description).to.include('"writer"');
    expect(server.ledger.records).to.eql([]);
  });

  it('allows a writer and a root principal to read and write', async () => {
    for (const as of [server.tenant.writer, server.tenant.root]) {
      await createAnAsset(server, {}, { as });
      expect((await server.request('GET', PATH, { as })).status).to.equal(200);
    }
  });

  it('refuses the token of an application that is not on the ledger', async () => {
    const as = { ...server.tenant.reader, clientId: randomUUID() };
    expectProblem(await server.request('GET', PATH, { as }), 401, 'UNAUTHENTICATED');
  });

  it('grants only the rights of both the token and the current application', async () => {
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

  it('refuses the tokens of an application as soon as its secret is replaced', async () => {
    const { writer } = server.tenant;
    const { token } = await server.tokens.issue(writer);
    expect((await get(`Bearer ${token}`)).status).to.equal(200);
    const record = toApplication(writer.clientId!, writer.name, ['writer'], 'another secret');
    await server.ledger.mine({ tenantIdentity: writer.tenantIdentity, record });
    expectProblem(await get(`Bearer ${token}`), 401, 'UNAUTHENTICATED');
    const secretId = toSecretId(record.secret_sha256);
    expect((await server.request('GET', PATH, { as: { ...writer, secretId } })).status).to.equal(200);
    for (const other of [undefined, '', secretId.slice(1), `${secretId}0`]) {
      expectProblem(await server.request('GET', PATH, { as: { ...writer, secretId: other } }), 401, 'UNAUTHENTICATED');
    }
  });

  it('refuses the tokens of an application as soon as it is deleted', async () => {
    const { reader } = server.tenant;
    const { view } = server.ledger;
    let isGone = false;
    const readApplication: LedgerView['readApplication'] = async (id) =>
      isGone ? undefined : view.readApplication(id);
    const authenticate = createAuthenticate({ view: { ...view, readApplication }, tokens: server.tokens });
    const authorization = `Bearer ${(await server.tokens.issue(reader)).token}`;
    expect(await authenticate(authorization, 'reader')).to.deep.include({
      tenantIdentity: reader.tenantIdentity,
      principal: { issuer: ISSUER, subject: reader.clientId, display_name: reader.name, email: '' },
    });
    isGone = true;
    const error = await authenticate(authorization, 'reader').catch((refusal: unknown) => refusal);
    expect(error).to.include({ code: 'UNAUTHENTICATED' });
  });

  it('authenticates an application without roles, which lacks every right', async () => {
    const { writer } = server.tenant;
    const record = toApplication(writer.clientId!, writer.name, []);
    await server.ledger.mine({ tenantIdentity: writer.tenantIdentity, record });
    for (const as of [writer, { ...writer, roles: [] }]) {
      expectProblem(await server.request('GET', PATH, { as }), 403, 'FORBIDDEN', 'authorization');
    }
  });

  it('grants the right root only to a token with the role root', async () => {
    const authenticate = createAuthenticate({ view: server.ledger.view, tokens: server.tokens });
    const { root, writer } = server.tenant;
    const refusalOf = async (as: TokenSubject) =>
      rejectionOf(authenticate(`Bearer ${(await server.tokens.issue(as)).token}`, 'root'));
    expect(await refusalOf(root)).to.equal(NOT_REFUSED);
    expect(await refusalOf({ ...root, roles: ['reader'] })).to.equal('FORBIDDEN');
    expect(await refusalOf(writer)).to.equal('FORBIDDEN');
  });

  it('refuses the token of an application for another tenant', async () => {
    const as = { ...server.tenant.writer, tenantIdentity: server.otherTenant.identity };
    expectProblem(await server.request('GET', PATH, { as }), 401, 'UNAUTHENTICATED');
  });

  it('refuses a root token of a tenant that does not exist', async () => {
    const as = { ...server.tenant.root, tenantIdentity: `tenant/${randomUUID()}` };
    expectProblem(await server.request('GET', PATH, { as }), 401, 'UNAUTHENTICATED');
  });

  it('refuses a root token of a principal that is not a root principal of the tenant', async () => {
    expectProblem(
      await server.request('GET', PATH, { as: { ...server.tenant.root, subject: 'x' } }),
      403,
      'FORBIDDEN',
      'authorization',
    );
    const elsewhere = { ...server.tenant.root, tenantIdentity: server.otherTenant.identity };
    expectProblem(await server.request('GET', PATH, { as: elsewhere }), 403, 'FORBIDDEN', 'authorization');
  });
});
