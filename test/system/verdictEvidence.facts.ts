// Verdicts of a real ledger as evidence files: the server's answers are judged again offline, and no other answer is
// accepted.
import { expect } from 'chai';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { TestChain } from '../support/chainKinds.ts';
import { blockTimeOf, check, EXIT_UNREADABLE, hashOf, provedOf } from '../support/checkedEvidence.ts';
import {
  createEvidenceMaker,
  type EvidenceFile,
  type EvidenceMaker,
  type VerdictClaim,
} from '../support/evidenceFiles.ts';
import { type Json, mutationsOf } from '../support/mutations.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { send } from '../support/testLedger.ts';

interface Answer {
  readonly compliant_at: string;
  readonly compliance: readonly { readonly compliance_policy_identity: string; readonly compliant: boolean }[];
}

const SINCE = { compliance_type: 'COMPLIANCE_SINCE', event_display_type: 'Check', time_period_seconds: 3_600 };
const PAIR = { event_display_type: 'Fault', closing_event_display_type: 'Repair' };

/** Policies, and whether the asset of the test complies with them. */
const POLICIES: readonly (readonly [policy: object, compliant: boolean])[] = [
  [SINCE, true],
  [{ ...SINCE, event_display_type: 'Audit' }, false],
  [{ ...SINCE, asset_filter: [{ or: ['kind=door', 'kind=gate'] }] }, true],
  [{ ...PAIR, compliance_type: 'COMPLIANCE_CURRENT_OUTSTANDING' }, false],
  [{ ...PAIR, compliance_type: 'COMPLIANCE_PERIOD_OUTSTANDING', time_period_seconds: 3_600 }, true],
  [{ ...PAIR, compliance_type: 'COMPLIANCE_DYNAMIC_TOLERANCE', dynamic_window: 60, dynamic_variability: 1.5 }, true],
  [{ compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['force<7', 'force=10'] }] }, true],
  [
    { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['force>=7'] }, { or: ['kind=door'] }] },
    false,
  ],
];

const withoutTime = (file: EvidenceFile): EvidenceFile => ({
  ...file,
  claim: { ...(file.claim as EvidenceFile), at: '' },
});

const toFlipped = (file: EvidenceFile): EvidenceFile => {
  const claim = file.claim as EvidenceFile;
  return { ...file, claim: { ...claim, compliant: claim.compliant !== true } };
};

/** Registers the tests on a ledger of this chain. */
export const describeVerdictEvidence = (kind: TestChain): void => {
  describe(`a verdict of a ledger on ${kind.name} as evidence`, () => {
    const shared = useSharedLedger({}, kind);
    let maker: EvidenceMaker;
    let asset: string;
    let checked: EventResource;
    const policies: string[] = [];
    const answers: VerdictClaim[] = [];
    const files: EvidenceFile[] = [];
    let alone: EvidenceFile;

    const post = async <T>(path: string, body: object): Promise<T> => {
      const { alpha, server } = shared();
      const answer = await send<T>(`${server.url}/archivist/${path}`, alpha.token, { body });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      return answer.body;
    };
    const record = (event_attributes: object, asset_attributes = {}): Promise<EventResource> =>
      post(`v2/${asset}/events`, {
        behaviour: 'RecordEvidence',
        operation: 'Record',
        event_attributes,
        asset_attributes,
      });
    const fault = (arc_correlation_id: string) => record({ arc_display_type: 'Fault', arc_correlation_id });
    const repair = (arc_correlation_id: string) => record({ arc_display_type: 'Repair', arc_correlation_id });
    const trustIn = (file: EvidenceFile): EvidenceFile => maker.trust({ blocks: [hashOf(file)] });
    const exitCodeOf = async (file: EvidenceFile): Promise<number> => (await check(file, trustIn(file))).exitCode;
    const attest = (policy: string) => maker.attest(shared().alpha.identity, [policy, asset]);

    before(async () => {
      const { alpha, ledger, server } = shared();
      maker = createEvidenceMaker(ledger);
      ({ identity: asset } = await alpha.createAsset({ kind: 'door', force: '8' }));
      await record({}, { force: '6.5' });
      for (const id of ['a', 'b', 'c']) {
        await fault(id);
        await repair(id);
      }
      await fault('open');
      checked = await record({ arc_display_type: 'Check' });
      for (const [policy] of POLICIES) {
        const named = { display_name: 'p', description: '', ...policy };
        policies.push((await post<{ identity: string }>('v1/compliance_policies', named)).identity);
      }
      const { body } = await send<Answer>(`${server.url}/archivist/v1/compliance/${asset}`, alpha.token);
      for (const identity of policies) {
        const found = body.compliance.find(({ compliance_policy_identity }) => compliance_policy_identity === identity);
        const { compliant } = found!;
        const names = { tenant_identity: alpha.identity, policy_identity: identity, asset_identity: asset };
        answers.push({ ...names, at: body.compliant_at, compliant });
      }
      await record({ arc_display_type: 'Audit' }, { force: '9', kind: 'wall' });
      for (const answer of answers) files.push(await maker.verdict(answer, await attest(answer.policy_identity)));
      alone = await maker.verdict(answers[0]!, await attest(policies[0]!), checked.identity);
    });

    for (const [at, [policy, compliant]] of POLICIES.entries()) {
      it(`is that of the server, and not the other: ${JSON.stringify(policy)}`, async () => {
        expect(answers[at]!.compliant).to.equal(compliant);
        const verdict = await check(files[at]!, trustIn(files[at]!));
        expect(verdict.exitCode, JSON.stringify(verdict.findings)).to.equal(0);
        expect(provedOf(verdict)).to.deep.equal(['content', 'author', 'completeness', 'verdict', 'chain']);
        const flipped = await check(toFlipped(files[at]!), trustIn(files[at]!));
        expect(flipped.exitCode).to.equal(1);
        expect(flipped.findings.find(({ answer }) => answer === 'refuted')!.text).to.match(/: .+$/);
        expect((await check(files[at]!, maker.trust())).exitCode).to.equal(3);
      });
    }

    it('needs one event if it is a compliant SINCE', async () => {
      const verdict = await check(alone, trustIn(alone));
      expect(verdict.exitCode, JSON.stringify(verdict.findings)).to.equal(0);
      expect(provedOf(verdict)).to.deep.equal(['content', 'author', 'verdict', 'chain']);
      expect((alone.records as Json[]).length).to.equal(2);
    });

    it('is refuted for one event that does not suffice', async () => {
      const attested = await attest(policies[0]!);
      const aloneOf = async (answer: VerdictClaim, event: string): Promise<number> =>
        exitCodeOf(await maker.verdict(answer, await attest(answer.policy_identity), event));
      const unlike = await maker.verdict({ ...answers[0]!, compliant: false }, attested, checked.identity);
      expect(await exitCodeOf(unlike)).to.equal(1);
      const other = await repair('other');
      expect(await aloneOf({ ...answers[0]!, at: other.timestamp_accepted }, other.identity)).to.equal(1);
      // With a filter, the attributes matter; another kind of policy needs all events.
      expect(await aloneOf(answers[2]!, checked.identity)).to.equal(1);
      expect(await aloneOf(answers[6]!, checked.identity)).to.equal(1);
      // At a time before the event, and when it is too old.
      const times = ['2020-01-01T00:00:00.000Z', '2900-01-01T00:00:00.000Z'];
      for (const at of times) expect(await aloneOf({ ...answers[0]!, at }, checked.identity)).to.equal(1);
    });

    it('is refuted at a time after its block, and before the asset was there', async () => {
      const time = blockTimeOf(files[0]!);
      const withAt = (at: string): EvidenceFile => ({
        ...files[0]!,
        claim: { ...(files[0]!.claim as EvidenceFile), at },
      });
      expect(await exitCodeOf(withAt(toTimestamp(time * 1_000 + 999)))).to.equal(0);
      expect(await exitCodeOf(withAt(toTimestamp((time + 1) * 1_000)))).to.equal(1);
      expect(await exitCodeOf(withAt('2020-01-01T00:00:00.000Z'))).to.equal(1);
    });

    it('is refuted for an asset that the policy is not about', async () => {
      const attested = await attest(policies[2]!);
      const later = await maker.verdict(answers[2]!, attested);
      expect(await exitCodeOf(later)).to.equal(0);
      const at = toTimestamp(blockTimeOf(later) * 1_000 + 999);
      expect(await exitCodeOf({ ...later, claim: { ...(later.claim as EvidenceFile), at } })).to.equal(1);
    });

    it('is refuted for a policy that is deleted, whose creation alone is not its history', async () => {
      const { alpha, server } = shared();
      const [identity] = policies as [string];
      const url = `${server.url}/archivist/v1/${identity}`;
      expect((await send(url, alpha.token, { method: 'DELETE' })).status).to.equal(200);
      const deleted = await maker.verdict(answers[0]!, await attest(identity));
      expect(await exitCodeOf(deleted)).to.equal(1);
      const records = (deleted.records as Json[]).toSpliced(1, 1);
      const claim = { ...(deleted.claim as EvidenceFile), policy_count: 1 };
      expect(await exitCodeOf({ ...deleted, claim, records })).to.equal(1);
    });

    it('is accepted with no change', async () => {
      for (const file of [alone, files[7]!]) {
        const { blocks, ...others } = file as { blocks: Json } & EvidenceFile;
        const exitCodes = new Map<number, number>();
        for (const changed of mutationsOf(others) as Iterable<EvidenceFile>) {
          const { exitCode } = await check({ ...changed, blocks }, trustIn(file));
          exitCodes.set(exitCode, (exitCodes.get(exitCode) ?? 0) + 1);
          // The verdict may be the same at another time.
          if (exitCode === 0) expect(withoutTime(changed)).to.deep.equal(withoutTime(others));
        }
        expect(exitCodes.get(1)).to.be.above(20);
        expect(exitCodes.get(EXIT_UNREADABLE)).to.be.above(100);
      }
    });

    it('is refuted with records left out, added, exchanged or moved between the two streams', async () => {
      const file = files[3]!;
      const records = file.records as Json[];
      const claim = file.claim as EvidenceFile & { count: number; policy_count: number };
      const variants: EvidenceFile[] = [
        { ...file, records: records.slice(0, -1), claim: { ...claim, count: claim.count - 1 } },
        { ...file, records: [...records, records.at(-1)!], claim: { ...claim, count: claim.count + 1 } },
        { ...file, records: records.with(2, records[3]!).with(3, records[2]!) },
        { ...file, claim: { ...claim, count: claim.count - 1, policy_count: claim.policy_count + 1 } },
        { ...file, records: records.with(0, (files[4]!.records as Json[])[0]!) },
        { ...file, proofs: (file.proofs as Json[]).toReversed() },
        { ...file, claim: { ...claim, asset_identity: claim.policy_identity! } },
        { ...file, claim: { ...claim, policy_identity: claim.asset_identity! } },
      ];
      for (const [at, variant] of variants.entries()) expect(await exitCodeOf(variant), String(at)).to.equal(1);
      const leaves = toBase64(new Uint8Array(80));
      expect(await exitCodeOf({ ...file, leaves })).to.equal(EXIT_UNREADABLE);
      expect(await exitCodeOf({ ...file, records: records.slice(1) })).to.equal(EXIT_UNREADABLE);
    });
  });
};
