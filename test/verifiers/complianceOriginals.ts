// Verdicts and the list of a tenant's records as originals: every kind of policy, each verdict, and a deleted policy's
// records in the list.
import { createHash } from 'node:crypto';
import type { Ledger } from '../../host/openLedger.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { createEvidenceMaker, type EvidenceFile, type VerdictClaim } from '../support/evidenceFiles.ts';
import type { FixtureTenant } from '../support/fixtureTenant.ts';
import { send } from '../support/testLedger.ts';
import { noting, type Original, toLogged } from './originals.ts';

const SINCE = { compliance_type: 'COMPLIANCE_SINCE', event_display_type: 'Check', time_period_seconds: 3_600 };
const PAIR = { event_display_type: 'Fault', closing_event_display_type: 'Repair' };

const POLICIES: Readonly<Record<string, object>> = {
  since: SINCE,
  'since of nothing': { ...SINCE, event_display_type: 'Audit' },
  filtered: { ...SINCE, asset_filter: [{ or: ['kind=door', 'kind=gate'] }, { or: ['name!=x'] }] },
  outstanding: { ...PAIR, compliance_type: 'COMPLIANCE_CURRENT_OUTSTANDING' },
  period: { ...PAIR, compliance_type: 'COMPLIANCE_PERIOD_OUTSTANDING', time_period_seconds: 3_600 },
  tolerance: {
    ...PAIR,
    compliance_type: 'COMPLIANCE_DYNAMIC_TOLERANCE',
    dynamic_window: 60,
    dynamic_variability: 0.1,
  },
  richness: { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['force<7', 'force=10'] }] },
  'of escaped names': { ...SINCE, asset_filter: [{ or: ['attributes.ex\\:site=A'] }] },
  'of versions': { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['firmware>=1.10.0'] }] },
};

const post = async <T>(tenant: FixtureTenant, url: string, path: string, body: object): Promise<T> => {
  const answer = await send<T>(`${url}/archivist/${path}`, tenant.token, { body });
  if (answer.status !== 200) throw new Error(`${path} is refused: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const recordEvents = async (tenant: FixtureTenant, url: string, asset: string): Promise<EventResource> => {
  const record = (event_attributes: object, asset_attributes = {}): Promise<EventResource> =>
    post(tenant, url, `v2/${asset}/events`, {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes,
      asset_attributes,
    });
  await record({}, { force: '6.5' });
  for (const arc_correlation_id of ['a', 'b', 'c']) {
    await record({ arc_display_type: 'Fault', arc_correlation_id });
    await record({ arc_display_type: 'Repair', arc_correlation_id });
  }
  await record({ arc_display_type: 'Fault', arc_correlation_value: 'open' });
  return record({ arc_display_type: 'Check' });
};

interface Compliance {
  readonly compliant_at: string;
  readonly compliance: readonly { readonly compliance_policy_identity: string; readonly compliant: boolean }[];
}

/** Records policies and events of a tenant through the server at a URL, and makes the originals of their verdicts. */
export const makeComplianceOriginals = async (
  ledger: Ledger,
  url: string,
  tenant: FixtureTenant,
): Promise<Original[]> => {
  const maker = createEvidenceMaker(ledger);
  const { identity: asset } = await tenant.createAsset({
    kind: 'door',
    force: '8',
    'ex:site': 'A',
    firmware: '1.9.0',
  });
  const checked = await recordEvents(tenant, url, asset);
  const named = new Map<string, string>();
  for (const [name, policy] of Object.entries(POLICIES)) {
    const content = { display_name: name, description: '', ...policy };
    const { identity } = await post<{ identity: string }>(tenant, url, 'v1/compliance_policies', content);
    named.set(identity, name);
  }
  const { body } = await send<Compliance>(`${url}/archivist/v1/compliance/${asset}`, tenant.token);
  const verdictOf = async (policy: string, compliant: boolean, alone?: string): Promise<EvidenceFile> => {
    const names = { tenant_identity: tenant.identity, policy_identity: policy, asset_identity: asset };
    const claim: VerdictClaim = { ...names, at: body.compliant_at, compliant };
    return maker.verdict(claim, await maker.attest(tenant.identity, [policy, asset]), alone);
  };
  const originals: Original[] = [];
  const add = (name: string, file: EvidenceFile): number => originals.push({ name, file, trust: noting(file) });
  for (const { compliance_policy_identity: policy, compliant } of body.compliance) {
    const name = named.get(policy)!;
    add(`verdict: ${name}`, await verdictOf(policy, compliant));
    if (name === 'since') add('verdict: since with one event', await verdictOf(policy, compliant, checked.identity));
  }
  const { file, leaves } = await maker.tenant(tenant.identity, await maker.attest(tenant.identity));
  const list = { name: 'list', file, trust: noting(file), leaves: toBase64(leaves) };
  return [...originals, ...originals.slice(-1).map(toLogged), list, toLogged(list)];
};

/** A list that names other leaves as its second file. */
export const withLeaves = (file: EvidenceFile, leaves: Uint8Array): Pick<Original, 'file' | 'leaves'> => {
  const leaves_sha256 = `0x${createHash('sha256').update(leaves).digest('hex')}`;
  const claim = { ...(file.claim as EvidenceFile), leaves_sha256 };
  return { file: { ...file, claim }, leaves: toBase64(leaves) };
};
