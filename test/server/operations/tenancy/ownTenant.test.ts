// What root principals read of their own tenant.
import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import type { RequestOptions } from '../../support/testServer.ts';
import { useServer } from '../../support/useServer.ts';

describe('GET v1/tenancies/self', () => {
  const server = useServer();
  const get = (as: NonNullable<RequestOptions['as']> | null) => server.request('GET', '/svc/v1/tenancies/self', { as });

  it('is the tenant of the caller, with every field', async () => {
    for (const { identity, root } of [server.tenant, server.otherTenant]) {
      const { display_name } = (await server.ledger.view.readTenant(identity))!;
      const { status, body } = await get(root);
      expect([status, body]).to.eql([
        200,
        {
          identity,
          display_name,
          verified_domain: '',
          enterprise_sso_enabled: false,
          enterprise_sso_config: { policy_id: '', config_url: '', issuer: '', client_id: '', client_secret: '' },
        },
      ]);
    }
  });

  it('is for root principals', async () => {
    for (const as of [server.tenant.reader, server.tenant.writer, server.tenant.administrator])
      expectProblem(await get(as), 403, 'FORBIDDEN', 'authorization');
    expectProblem(await get(null), 401, 'UNAUTHENTICATED');
  });

  it('cannot be changed', async () => {
    const { status } = await server.request('PATCH', '/svc/v1/tenancies/self', { as: server.tenant.root, json: {} });
    expect(status).to.equal(405);
  });
});
