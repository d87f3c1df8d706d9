// An application on the list of root principals is one of them (decision 52).
import { expect } from 'chai';
import { createAnApplication, requestToken } from '../../support/applications.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { createAnAsset, createAnEvent } from '../../support/requests.ts';
import { useNewServer } from '../../support/useServer.ts';

const PATH = '/archivist/v1/tenancies/root_principals';

interface CreatedApplication {
  readonly identity: string;
  readonly client_id: string;
  readonly credentials: readonly { readonly secret: string }[];
}

describe('an application that is a root principal', () => {
  const server = useNewServer();
  let application: CreatedApplication;
  let token: string;
  let itself: { issuer: string; subject: string };
  beforeEach(async () => {
    application = await createAnApplication(server, { roles: ['writer'] });
    token = await readToken(application);
    const assetUuid = await createAnAsset(server, {}, asBearer(token));
    const { body } = await server.request('GET', `/svc/v2/assets/${assetUuid}/events`, asBearer(token));
    const { issuer, subject } = body.events[0].principal_accepted;
    itself = { issuer, subject };
  });

  const readToken = async ({ client_id, credentials }: CreatedApplication): Promise<string> =>
    (await requestToken(server, client_id, credentials[0]!.secret)).body.access_token;
  const asBearer = (bearer: string) => ({ as: null, headers: { authorization: `Bearer ${bearer}` } });
  const readList = async () => (await server.request('GET', PATH, { as: server.tenant.root })).body.root_principals;
  const addItself = async () => {
    const json = { root_principals: [...(await readList()), itself] };
    expect((await server.request('PATCH', PATH, { as: server.tenant.root, json })).status).to.equal(200);
  };
  const removeItself = async () => {
    const list: { subject: string }[] = await readList();
    const json = { root_principals: list.filter(({ subject }) => subject !== itself.subject) };
    expect((await server.request('PATCH', PATH, { as: server.tenant.root, json })).status).to.equal(200);
  };

  it('is root from that moment on, with its current token, until it is removed', async () => {
    expectProblem(await server.request('GET', PATH, asBearer(token)), 403, 'FORBIDDEN', 'authorization');
    await addItself();
    expect((await server.request('GET', PATH, asBearer(token))).status).to.equal(200);
    const json = { roles: ['reader'], display_name: 'made by an application' };
    const created = await server.request('POST', '/svc/iam/v1/applications', { ...asBearer(token), json });
    expect(created.status).to.equal(200);
    await removeItself();
    expectProblem(await server.request('GET', PATH, asBearer(token)), 403, 'FORBIDDEN', 'authorization');
  });

  it('replaces the list, and cannot remove itself', async () => {
    await addItself();
    const alone = await server.request('PATCH', PATH, { ...asBearer(token), json: { root_principals: [itself] } });
    expect([alone.status, alone.body.root_principals.length]).to.eql([200, 1]);
    const without = { root_principals: [{ issuer: itself.issuer, subject: server.tenant.root.subject }] };
    const refused = await server.request('PATCH', PATH, { ...asBearer(token), json: without });
    expectProblem(refused, 400, 'ROOT_PRINCIPALS_INVALID', 'root_principals');
  });

  it('is root without any role', async () => {
    const roleless = await createAnApplication(server, { roles: [] });
    itself = { ...itself, subject: roleless.client_id };
    await addItself();
    const assetUuid = await createAnAsset(server, {}, asBearer(await readToken(roleless)));
    await createAnEvent(server, assetUuid);
  });

  it('is identified by its issuer and its subject together', async () => {
    const list = await readList();
    const json = { root_principals: [...list, { issuer: 'https://elsewhere.example', subject: itself.subject }] };
    const refused = await server.request('PATCH', PATH, { as: server.tenant.root, json });
    expectProblem(refused, 400, 'ROOT_PRINCIPALS_INVALID');
    expectProblem(await server.request('GET', PATH, asBearer(token)), 403, 'FORBIDDEN', 'authorization');
  });

  it('has no rights in another tenant, and none with a replaced secret', async () => {
    await addItself();
    const elsewhere = await server.request('GET', PATH, { as: server.otherTenant.root });
    expect(JSON.stringify(elsewhere.body)).not.to.include(itself.subject);
    const path = `/svc/iam/v1/${application.identity}:regenerate-secret`;
    expect((await server.request('POST', path, { as: server.tenant.root })).status).to.equal(200);
    expectProblem(await server.request('GET', PATH, asBearer(token)), 401, 'UNAUTHENTICATED');
  });

  it('is changed by root principals alone, so that no administrator can act as it', async () => {
    await addItself();
    const as = server.tenant.administrator;
    const path = `/svc/iam/v1/${application.identity}`;
    const secret = await server.request('POST', `${path}:regenerate-secret`, { as });
    expectProblem(secret, 403, 'FORBIDDEN', 'authorization');
    expectProblem(await server.request('PATCH', path, { as, json: { roles: [] } }), 403, 'FORBIDDEN', 'authorization');
    expect((await server.request('GET', PATH, asBearer(token))).status).to.equal(200);
    expect((await server.request('PATCH', path, { ...asBearer(token), json: { roles: [] } })).status).to.equal(200);
  });

  it('is not deleted while it is on the list', async () => {
    await addItself();
    const path = `/svc/iam/v1/${application.identity}`;
    for (const as of [server.tenant.administrator, server.tenant.root])
      expectProblem(await server.request('DELETE', path, { as }), 400, 'APPLICATION_INVALID', 'uuid');
    await removeItself();
    expect((await server.request('DELETE', path, { as: server.tenant.administrator })).status).to.equal(200);
  });
});
