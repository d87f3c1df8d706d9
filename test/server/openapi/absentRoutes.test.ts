// Routes of the hosted service that this server doesn't have: those that docs/decisions.md lists.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { expectProblem } from '../support/expectProblem.ts';
import { useServer } from '../support/useServer.ts';

const DECISIONS = readFileSync(new URL('../../../docs/decisions.md', import.meta.url), 'utf8');
const SECTION = DECISIONS.split('\n## ').find((section) => section.startsWith('Routes that this server lacks'))!;
const UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const PATHS = [...SECTION.matchAll(/`([^`]+)`/g)].map(([, path]) => path!.replaceAll(/\{\w+\}/g, UUID));

describe('routes of the hosted service that this server lacks', () => {
  const server = useServer();

  it('are listed', () => {
    expect(PATHS).to.include.members(['v1/sboms', 'iam/v1/members', `v2/locations/${UUID}/permissions`]);
    expect(PATHS.length).to.be.above(40);
    expect(PATHS).to.have.length(new Set(PATHS).size);
  });

  it('are 404 in the documented form, by both prefixes and every method, with and without a token', async () => {
    for (const path of PATHS) {
      const json = { any: 'thing' };
      const answers = [
        await server.request('GET', `/svc/${path}`, { as: server.tenant.root }),
        await server.request('POST', `/archivist/${path}`, { as: server.tenant.root, json }),
        await server.request('PATCH', `/svc/${path}?mask=any`, { as: server.tenant.root, json }),
        await server.request('DELETE', `/svc/${path}`, { as: null }),
      ];
      for (const answer of answers) {
        expect([path, answer.status]).to.eql([path, 404]);
        expectProblem(answer, 404, 'ROUTE_NOT_FOUND');
        expect(answer.body.code).to.equal(5);
      }
    }
    expect(server.unexpected).to.eql([]);
  });
});
