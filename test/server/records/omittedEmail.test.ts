// Records of every type that a request creates, on a server that omits email addresses.
import { expect } from 'chai';
import type { ServerDeps } from '../../../server/deps.ts';
import { writeEveryType } from '../support/everyType.ts';
import { startTestServer } from '../support/testServer.ts';

const EMAIL = 'zoe@example.com';

// A person of another issuer has an email address; the test server's own tokens have none.
const withEmail = ({ tokens }: ServerDeps): ServerDeps['tokens'] => ({
  ...tokens,
  verify: async (token) => ({ ...(await tokens.verify(token)), email: EMAIL }),
});

const TYPES = ['access_policy', 'application', 'blob', 'event', 'location', 'policy', 'subject', 'tenant'];

describe('the email address of the sender', () => {
  for (const isEmailOmitted of [true, false]) {
    it(`is ${isEmailOmitted ? 'omitted from' : 'in'} new records of every type`, async () => {
      const base = await startTestServer();
      const server = await startTestServer({ isEmailOmitted, tokens: withEmail(base.deps) });
      await base.close();
      await writeEveryType(server);
      const emails = server.ledger.records.map(({ principal_accepted }) => principal_accepted.email);
      expect(new Set(emails)).to.eql(new Set([isEmailOmitted ? '' : EMAIL]));
      expect([...new Set(server.ledger.records.map(({ type }) => type))].sort()).to.eql(TYPES);
      if (isEmailOmitted) expect(JSON.stringify(server.ledger.records)).not.to.include(EMAIL);
      await server.close();
    });
  }
});
