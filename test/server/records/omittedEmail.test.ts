// Records of every type that a request creates, on a server that omits email addresses.
import { expect } from 'chai';
import { toUuid } from '../../../ledger/identity.ts';
import type { TokenSubject } from '../../../server/auth/tokens/tokenContent.ts';
import type { ServerDeps } from '../../../server/deps.ts';
import { aRecord } from '../support/requests.ts';
import { createTenantRecords } from '../support/tenantRecords.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';

const EMAIL = 'zoe@example.com';

// A person of another issuer has an email address; the test server's own tokens have none.
const withEmail = ({ tokens }: ServerDeps): ServerDeps['tokens'] => ({
  ...tokens,
  verify: async (token) => ({ ...(await tokens.verify(token)), email: EMAIL }),
});

const write = async (server: TestServer): Promise<void> => {
  const { tenant } = server;
  const names = await createTenantRecords(server, tenant);
  const send = async (method: string, path: string, json?: unknown, as: TokenSubject = tenant.root): Promise<void> => {
    const { status } = await server.request(method, `/svc/${path}`, { as, ...(json === undefined ? {} : { json }) });
    expect([path, status]).to.eql([path, 200]);
  };
  const { root_principals: current } = (
    await server.request('GET', '/svc/v1/tenancies/root_principals', { as: tenant.root })
  ).body;
  await send('PATCH', 'v1/tenancies/root_principals', {
    root_principals: [...current, { ...current[0], subject: 'another', email: '' }],
  });
  await send('POST', `v2/assets/${names.asset}/events`, aRecord());
  await send('PATCH', `v2/locations/${names.location}`, { description: 'changed' });
  await send('PATCH', `iam/v1/subjects/${names.subject}`, { display_name: 'changed' });
  await send('PATCH', `iam/v1/applications/${names.application}`, { display_name: 'changed' });
  await send('DELETE', `v1/compliance_policies/${names.policy}`);
  expect(toUuid(tenant.identity)).to.equal(names.tenant);
};

const TYPES = ['access_policy', 'application', 'blob', 'event', 'location', 'policy', 'subject', 'tenant'];

describe('the email address of the sender', () => {
  for (const isEmailOmitted of [true, false]) {
    it(`is ${isEmailOmitted ? 'omitted from' : 'in'} new records of every type`, async () => {
      const base = await startTestServer();
      const server = await startTestServer({ isEmailOmitted, tokens: withEmail(base.deps) });
      await base.close();
      await write(server);
      const emails = server.ledger.records.map(({ principal_accepted }) => principal_accepted.email);
      expect(new Set(emails)).to.eql(new Set([isEmailOmitted ? '' : EMAIL]));
      expect([...new Set(server.ledger.records.map(({ type }) => type))].sort()).to.eql(TYPES);
      if (isEmailOmitted) expect(JSON.stringify(server.ledger.records)).not.to.include(EMAIL);
      await server.close();
    });
  }
});
