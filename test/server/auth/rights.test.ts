// The rights that each role grants; an application without roles has none.
import { expect } from 'chai';
import { CALLER_ROLES, type CallerRole, isGranted, RIGHTS, type Right } from '../../../server/auth/rights.ts';
import { readDocument, toOperations } from '../../../server/openapi/document.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { LIMITS, startTestServer, type TestTenant } from '../support/testServer.ts';
import { useServer } from '../support/useServer.ts';

const EXPECTED: Readonly<Record<CallerRole, readonly Right[]>> = {
  reader: ['shared', 'reader'],
  writer: ['shared', 'recorder', 'reader', 'writer'],
  auditor: ['shared', 'reader', 'auditor'],
  policies: ['shared', 'reader', 'policies'],
  administrator: ['shared', 'reader', 'policies', 'auditor', 'administrator'],
  root: ['shared', 'recorder', 'reader', 'writer', 'policies', 'auditor', 'administrator', 'root'],
};
const UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const document = readDocument(LIMITS);
const OPERATIONS = Object.keys(document.paths).flatMap((path) => toOperations(document, path));

describe('rights', () => {
  const server = useServer();

  it('are those of all roles together', () => {
    for (const role of CALLER_ROLES) {
      expect(RIGHTS.filter((right) => isGranted([role], right))).to.eql(EXPECTED[role]);
    }
    expect(RIGHTS.filter((right) => isGranted(['writer', 'administrator'], right))).to.eql(RIGHTS.slice(0, -1));
    expect(RIGHTS.filter((right) => isGranted([], right))).to.eql(['shared', 'recorder']);
  });

  it('of an application that is created without roles are those of the configured roles', async () => {
    const bare = await startTestServer({ applicationRoles: [] });
    const as = bare.tenant.administrator;
    const { body } = await bare.request('POST', '/svc/iam/v1/applications', { as, json: { display_name: 'x' } });
    await bare.close();
    expect(body.roles).to.eql([]);
  });

  // Only the token is evaluated before the right, so requests without a body suffice.
  const roles = [...CALLER_ROLES, 'roleless'] as const satisfies readonly (keyof TestTenant)[];
  for (const role of roles) {
    const granted: readonly Right[] = role === 'roleless' ? ['shared', 'recorder'] : EXPECTED[role];
    it(`of ${role} allow ${granted.join(', ')}; any other operation is 403 with its right`, async () => {
      for (const { id, method, path, right } of OPERATIONS) {
        if (right === undefined) continue;
        const url = `/svc${path.replaceAll(/\{\w+\}/g, UUID)}`;
        const answer = await server.request(method.toUpperCase(), url, { as: server.tenant[role] });
        if (granted.includes(right)) {
          expect([id, answer.status]).not.to.eql([id, 403]).and.not.eql([id, 401]);
          continue;
        }
        expectProblem(answer, 403, 'FORBIDDEN', 'authorization');
        expect([id, answer.body.details[0].description]).to.eql([id, `lacks the right "${right}"`]);
      }
    });
  }

  it('are lost as soon as a role is removed', async () => {
    const { administrator, writer } = server.tenant;
    const path = `/svc/iam/v1/applications/${writer.clientId}`;
    const create = () => server.request('POST', '/svc/v2/locations', { json: {}, as: writer });
    expect((await create()).status).to.equal(400);
    await server.request('PATCH', path, { as: administrator, json: { roles: [] } });
    expectProblem(await create(), 403, 'FORBIDDEN', 'authorization');
    await server.request('PATCH', path, { as: administrator, json: { roles: ['writer'] } });
    expect((await create()).status).to.equal(400);
    await server.request('DELETE', path, { as: administrator });
    expectProblem(await create(), 401, 'UNAUTHENTICATED');
  });
});
