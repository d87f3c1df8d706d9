import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { LedgerErrorCode } from '../../../../ledger/errors.ts';
import { check, createAssetAt, recordAt, setClock } from '../../support/compliance.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aPolicy, createAPolicy } from '../../support/requests.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

const PATH = '/svc/v1/compliance/assets:check';
const CREATED = '2026-11-20T10:00:00Z';
// The evaluation is at the end of the millisecond before that of the clock.
const CLOCK = '2026-11-20T10:01:00.000Z';
const NOW = '2026-11-20T10:00:59.999Z';

describe('checkAssets', () => {
  let server: TestServer;
  let assets: string[];
  let inspected: { identity: string };
  let drums: { identity: string };
  const request = (json: object, as = server.tenant.reader) => server.request('POST', PATH, { as, json });
  const toIdentities = (uuids: readonly string[]) => uuids.map((uuid) => `assets/${uuid}`);

  before(async () => {
    server = await startTestServer();
    assets = [];
    for (const attributes of [{}, { arc_display_type: 'Drum', rad: '9' }, { arc_display_type: 'Drum', rad: '2' }])
      assets.push(await createAssetAt(server, CREATED, attributes));
    inspected = await createAPolicy(server, aPolicy({ time_period_seconds: '30' }));
    const richness_assertions = [{ or: ['rad<7'] }];
    const asset_filter = [{ or: ['attributes.arc_display_type:Drum'] }];
    drums = await createAPolicy(server, { compliance_type: 'COMPLIANCE_RICHNESS', asset_filter, richness_assertions });
    await recordAt(server, assets[2]!, { at: '2026-11-20T10:00:40Z', type: 'Inspection' });
    setClock(server, CLOCK);
  });
  after(async () => {
    expect(server.unexpected).to.eql([]);
    await server.close();
  });

  it('names the policies that each asset fails, newest first', async () => {
    const { status, body } = await request({ asset_identities: toIdentities(assets) });
    expect(status).to.equal(200);
    expect(body).to.eql({
      compliant_at: NOW,
      assets: [
        { policies_total: 1, failing_policies: [inspected.identity] },
        { policies_total: 2, failing_policies: [drums.identity, inspected.identity] },
        { policies_total: 2, failing_policies: [] },
      ].map((verdict, at) => ({
        asset_identity: `assets/${assets[at]}`,
        status: 200,
        compliant: verdict.failing_policies.length === 0,
        ...verdict,
      })),
    });
  });

  it('gives the verdicts of single checks, also of a past time', async () => {
    for (const compliant_at of ['2026-11-20T10:00:20.000Z', '2026-11-20T10:00:41.000Z', NOW]) {
      const { body } = await request({ asset_identities: toIdentities(assets), compliant_at });
      expect(body.compliant_at).to.equal(compliant_at);
      for (const [at, uuid] of assets.entries()) {
        const { compliant, compliance } = await check(server, uuid, `compliant_at=${compliant_at}`);
        const failing = compliance.filter((one: { compliant: boolean }) => !one.compliant);
        expect(body.assets[at]).to.deep.include({
          compliant,
          policies_total: compliance.length,
          failing_policies: failing.map(
            (one: { compliance_policy_identity: string }) => one.compliance_policy_identity,
          ),
        });
      }
    }
  });

  it('reports unknown assets beside the verdicts of others', async () => {
    const unknown = randomUUID();
    const identities = [`assets/${unknown}`, `assets/${assets[2]!.toUpperCase()}`];
    const { body } = await request({ asset_identities: identities, compliant_at: '2030-01-01T00:00:00Z' });
    expect(body.compliant_at).to.equal(NOW);
    const [first, second] = body.assets;
    expect([first.asset_identity, first.status]).to.eql([`assets/${unknown}`, 404]);
    expect(first.error.details).to.eql([{ error: 'ASSET_NOT_FOUND' }]);
    expect([second.asset_identity, second.compliant]).to.eql([`assets/${assets[2]}`, true]);
    const before = { asset_identities: toIdentities(assets), compliant_at: '2026-11-20T09:00:00Z' };
    const { body: past } = await request(before);
    expect(past.assets.map(({ status }: { status: number }) => status)).to.eql([404, 404, 404]);
    const { body: other } = await request({ asset_identities: toIdentities(assets) }, server.otherTenant.reader);
    expect(other.assets.map(({ status }: { status: number }) => status)).to.eql([404, 404, 404]);
  });

  it('takes 100 assets and no more, and refuses other texts', async () => {
    const many = (count: number) => Array.from({ length: count }, () => `assets/${assets[0]}`);
    expect((await request({ asset_identities: many(100) })).body.assets).to.have.length(100);
    const isRefused = async (json: object, code: LedgerErrorCode, field: string) =>
      expectProblem(await request(json), 400, code, field);
    await isRefused({ asset_identities: many(101) }, 'REQUEST_INVALID', 'asset_identities');
    await isRefused({ asset_identities: [] }, 'REQUEST_INVALID', 'asset_identities');
    await isRefused({ asset_identities: [assets[0]] }, 'REQUEST_INVALID', 'asset_identities/0');
    await isRefused({ asset_identities: many(1), compliant_at: 'now' }, 'TIMESTAMP_INVALID', 'compliant_at');
  });
});
