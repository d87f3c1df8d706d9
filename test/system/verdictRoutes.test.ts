// What evidence files of verdicts from the API disclose: the one event that is enough, or all records of the asset.
import { expect } from 'chai';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import { fromBase64 } from '../../ledger/evidence/base64.ts';
import { check, hashOf, provedOf } from '../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile, type EvidenceMaker } from '../support/evidenceFiles.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import type { Json } from '../support/mutations.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { type ListeningServer, send, serveTestLedger } from '../support/testLedger.ts';

const SINCE = {
  compliance_type: 'COMPLIANCE_SINCE',
  description: 'inspected',
  display_name: 'inspected',
  asset_filter: [],
  event_display_type: 'Inspected',
  time_period_seconds: 3_600,
};
const TYPES = ['Inspected', 'Secret', 'Inspected', 'Secret'];
const COMPLETE = 1 + TYPES.length;

describe('evidence of verdicts from the API', () => {
  const shared = useSharedLedger();
  const closing: (() => Promise<void>)[] = [];
  let server: ListeningServer;
  let maker: EvidenceMaker;
  let tenant: FixtureTenant;
  let asset: string;
  let inspections: string[];

  before(async () => {
    const { ledger } = shared();
    maker = createEvidenceMaker(ledger);
    const options = { checkpointSeconds: 3_600, logOrigin: 'log.example/1' };
    const checkpoints = (await openCheckpoints(ledger, options, () => undefined))!;
    closing.push(checkpoints.close);
    server = await serveTestLedger(ledger, { evidence: openEvidence({ ledger, checkpoints, waitMs: 30_000 }) });
    closing.push(server.close);
    tenant = await createFixtureTenant(ledger, server, 'verdicts');
    ({ identity: asset } = await tenant.createAsset({ weight: '10' }));
    inspections = [];
    for (const type of TYPES) {
      const { body } = await tenant.post<{ identity: string }>(`${asset}/events`, {
        behaviour: 'RecordEvidence',
        operation: 'Record',
        event_attributes: { arc_display_type: type },
      });
      if (type === 'Inspected') inspections.push(body.identity);
    }
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });

  const fetchVerdict = async (changes: object): Promise<EvidenceFile> => {
    const base = `${server.url}/archivist/v1`;
    const { body: policy } = await send<{ identity: string }>(`${base}/compliance_policies`, tenant.token, {
      body: { ...SINCE, ...changes },
    });
    const url = `${base}/compliance/${asset}:evidence?policy=${policy.identity}`;
    const { status, body } = await send<EvidenceFile>(url, tenant.token);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  // Checks the file under its noted blocks. The policy is a record of the file, too.
  const expectVerdict = async (file: EvidenceFile, compliant: boolean, count: number): Promise<string[]> => {
    expect(file.claim).to.deep.include({ compliant, policy_count: 1, count });
    const blocks = (file.blocks as Json[]).map((block) => hashOf({ blocks: [block] }));
    const verdict = await check(file, maker.trust({ blocks }));
    expect(verdict.exitCode, JSON.stringify(verdict.findings)).to.equal(0);
    expect(provedOf(verdict)).to.include.members(['content', 'verdict', 'chain']);
    expect(provedOf(verdict).includes('completeness')).to.equal(count > 1);
    const payloads = (file.records as { payload: string }[]).slice(1).map(({ payload }) => fromBase64(payload));
    expect(payloads).to.have.length(count);
    return payloads.map((payload) => new TextDecoder().decode(payload));
  };

  it('disclose only the deciding event where that is enough', async () => {
    const file = await fetchVerdict({});
    const [event] = await expectVerdict(file, true, 1);
    expect(event).to.include(`"${inspections.at(-1)}"`);
    expect((file.proofs as { kind: string }[]).map(({ kind }) => kind)).to.deep.equal(['log', 'log', 'leaf']);
  });

  const others: readonly [name: string, changes: object, compliant: boolean][] = [
    ['the asset does not comply', { event_display_type: 'Repaired' }, false],
    ['the policy has a filter', { asset_filter: [{ or: ['attributes.weight=*'] }] }, true],
    [
      'the policy is of another type',
      { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['weight>=10'] }] },
      true,
    ],
  ];
  for (const [name, changes, compliant] of others) {
    it(`have all records of the asset where ${name}`, async () => {
      const file = await fetchVerdict(changes);
      const payloads = await expectVerdict(file, compliant, COMPLETE);
      expect(payloads.filter((payload) => payload.includes('Secret'))).to.have.length(2);
      expect(file.proofs).to.have.length(2);
    });
  }
});
