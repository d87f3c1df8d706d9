// The mask of a change of an application.
import { expect } from 'chai';
import { createAnApplication } from '../../support/applications.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { useServer } from '../../support/useServer.ts';

describe('PATCH iam/v1/applications/{uuid}?mask=', () => {
  const server = useServer();
  let created: Record<string, unknown>;
  before(async () => {
    const { credentials: _, ...shown } = await createAnApplication(server, {
      roles: ['reader'],
      custom_claims: { a: '1' },
    });
    created = shown;
  });

  const send = (method: string, query = '', json?: object) =>
    server.request(method, `/svc/iam/v1/${created.identity}${query}`, { as: server.tenant.administrator, json });
  const masked = (mask: string, json: object) => send('PATCH', `?mask=${mask}`, json);

  it('changes the named fields alone, and resets those that the body lacks', async () => {
    const renamed = await masked('display_name', { display_name: 'y', roles: ['writer'], custom_claims: {} });
    expect(renamed.status).to.equal(200);
    expect(renamed.body).to.deep.include({ ...created, display_name: 'y' });
    const reset = await masked('custom_claims,roles', { display_name: 'z', roles: null });
    expect(reset.body).to.eql({ ...renamed.body, roles: [], custom_claims: {} });
    expect((await send('GET')).body).to.eql(reset.body);
  });

  it('is refused for a field that must have a value, and for any other name', async () => {
    const before = (await send('GET')).body;
    expectProblem(await masked('display_name', { roles: ['writer'] }), 400, 'REQUEST_INVALID', 'display_name');
    for (const mask of ['', 'client_id', 'roles,credentials', 'constructor', 'roles;display_name'])
      expectProblem(await masked(mask, { roles: ['writer'] }), 400, 'REQUEST_INVALID', 'mask');
    expect((await send('GET')).body).to.eql(before);
  });
});
