// How many more records of each kind a tenant may create.
import { expect } from 'chai';
import { createAnApplication } from '../support/applications.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { createALocation, createAnAccessPolicy, createAnAsset, createAPolicy } from '../support/requests.ts';
import { LIMITS, type RequestOptions } from '../support/testServer.ts';
import { upload } from '../support/uploads.ts';
import { useNewServer } from '../support/useServer.ts';

const BYTES_MAX = 1_000_000;
const UNLIMITED = '9223372036854775807';
const KINDS = [
  ['access_policies', 'iam/v1/access_policies', 'AccessPolicies'],
  ['applications', 'iam/v1/applications', 'Applications'],
  ['assets', 'v2/assets', 'Assets'],
  ['blobs', 'v1/blobs', 'BlobBytes'],
  ['compliance_policies', 'v1/compliance_policies', 'CompliancePolicies'],
  ['locations', 'v2/locations', 'Locations'],
] as const;

describe('caps', () => {
  const server = useNewServer({}, { tenantBytesMax: BYTES_MAX });

  const get = (path: string, options: RequestOptions = {}) => server.request('GET', `/svc/${path}`, options);
  // What remains of each kind, which both routes must state alike.
  const readLeft = async (options: RequestOptions = {}): Promise<string[]> => {
    const lefts: string[] = [];
    for (const [service, collection, resource_type] of KINDS) {
      const { status, body } = await get(`v1/caps?service=${service}`, options);
      const resource_remaining = body.caps[0].resource_remaining;
      expect([status, body]).to.eql([200, { caps: [{ resource_type, resource_remaining }] }]);
      expect((await get(`${collection}:caps`, options)).body).to.eql(body);
      lefts.push(resource_remaining);
    }
    return lefts;
  };
  const toTexts = (applications: number, bytes: number, policies: number, accessPolicies: number): string[] => [
    String(accessPolicies),
    String(applications),
    UNLIMITED,
    String(bytes),
    String(policies),
    UNLIMITED,
  ];

  it('state how many more of a kind a tenant may create, of files in bytes', async () => {
    const { policiesMax, accessPoliciesMax } = LIMITS;
    const before = await readLeft();
    const applications = await get('iam/v1/applications?page_size=10', { as: server.tenant.administrator });
    const applicationsLeft = LIMITS.applicationsMax - applications.body.applications.length;
    expect(before).to.eql(toTexts(applicationsLeft, BYTES_MAX, policiesMax, accessPoliciesMax));
    const [{ identity }] = [await createAnApplication(server), await createAPolicy(server)];
    await createAnAsset(server);
    await createAnAccessPolicy(server);
    await createALocation(server);
    const { size } = (await upload(server, 'twelve bytes')).body;
    server.ledger.isChainAway = true;
    await createAPolicy(server);
    const after = toTexts(applicationsLeft - 1, BYTES_MAX - size, policiesMax - 2, accessPoliciesMax - 1);
    expect(await readLeft()).to.eql(after);
    server.ledger.isChainAway = false;
    await server.request('DELETE', `/svc/iam/v1/${identity}`, { as: server.tenant.administrator });
    expect((await readLeft())[1]).to.equal(String(applicationsLeft));
    const others = await get('iam/v1/applications?page_size=10', { as: server.otherTenant.administrator });
    const othersLeft = LIMITS.applicationsMax - others.body.applications.length;
    expect(await readLeft({ as: server.otherTenant.reader })).to.eql(
      toTexts(othersLeft, BYTES_MAX, policiesMax, accessPoliciesMax),
    );
  });

  it('need a documented kind', async () => {
    for (const query of ['', '?service=members', '?service=Assets', '?service=tenancies/users', '?service=toString'])
      expectProblem(await get(`v1/caps${query}`), 400, 'REQUEST_INVALID', 'service');
    expectProblem(await get('v1/caps?service=assets&kind=blobs'), 400, 'REQUEST_INVALID', 'kind');
    expectProblem(await get('v2/assets:caps?service=blobs'), 400, 'REQUEST_INVALID', 'service');
  });

  it('need a token', async () => {
    for (const path of ['v1/caps?service=assets', ...KINDS.map(([, collection]) => `${collection}:caps`)])
      expectProblem(await get(path, { as: null }), 401, 'UNAUTHENTICATED');
  });
});
