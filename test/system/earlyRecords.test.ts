// Evidence where writers recorded something before the tenant's own record, on a real chain: files are made, and who
// verifies them finds what the API says.
import { expect } from 'chai';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { type OpenEvidence, openEvidence } from '../../host/evidence/openEvidence.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { check, hashesOf } from '../support/checkedEvidence.ts';
import { MEASURE, type Parties, recordUnchecked } from '../support/contributedAsset.ts';
import { ATTACHED, JUDGED, measureAt, OWN_ASSET, SHARED_ASSET, shareAfterEarly } from '../support/earlyRecords.ts';
import { createEvidenceMaker, type EvidenceFile } from '../support/evidenceFiles.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';
import { untilMade } from '../verifiers/contributedOriginals.ts';

interface Answer {
  readonly compliance: readonly { readonly compliance_policy_identity: string; readonly compliant: boolean }[];
}

describe("evidence beside records from before a tenant's own", () => {
  const shared = useSharedLedger();
  const closing: (() => Promise<void>)[] = [];
  let parties: Parties;
  let evidence: OpenEvidence;
  let atMs: number;

  before(async () => {
    const { ledger, server } = shared();
    parties = await shareAfterEarly(ledger, server);
    await recordUnchecked(parties, { event_attributes: { ...MEASURE.event_attributes, photo: ATTACHED } });
    const checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
    closing.push(checkpoints.close);
    evidence = openEvidence({ ledger, checkpoints, waitMs: 30_000 });
    closing.push(evidence.close);
    const { events } = (await parties.alpha.get<{ events: EventResource[] }>(`${SHARED_ASSET}/events`)).body;
    // A contribution's time is that of its block, which is the end of a second.
    await until(() => Date.now() > Date.parse(events[0]!.timestamp_accepted));
    atMs = Date.now();
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });

  const named = (assetIdentity: string) => ({ tenantIdentity: parties.alpha.identity, assetIdentity });
  const exitCodeOf = async (file: EvidenceFile): Promise<number> => {
    const trust = createEvidenceMaker(parties.ledger).trust({ blocks: hashesOf(file) });
    return (await check(file, trust)).exitCode;
  };
  const makeVerdict = (asset: string): Promise<EvidenceFile> =>
    untilMade(() => evidence.makeVerdictEvidence({ ...named(asset), policyIdentity: JUDGED, atMs }));
  const askCompliant = async (asset: string): Promise<boolean> => {
    const path = `v1/compliance/${asset}?compliant_at=${new Date(atMs).toISOString()}`;
    const { body } = await send<Answer>(`${shared().server.url}/archivist/${path}`, parties.alpha.token);
    return body.compliance.find(({ compliance_policy_identity }) => compliance_policy_identity === JUDGED)!.compliant;
  };

  it('counts in the history of an asset with contributions what the API shows', async () => {
    const file = await untilMade(() =>
      evidence.makeHistoryEvidence({ ...named(SHARED_ASSET), isDisclosed: true, isPublic: false }),
    );
    const { events, own_records } = file.claim as unknown as { events: number[]; own_records: EvidenceFile[] };
    const { body } = await parties.alpha.get<{ events: EventResource[] }>(`${SHARED_ASSET}/events`);
    const shown = events.map((at) => Buffer.from((file.records as EvidenceFile[])[at]!.payload as string, 'base64'));
    const uuids = shown.map((payload) => /\/events\/([0-9a-f-]{36})"/.exec(payload.toString())![1]);
    expect(uuids).to.deep.equal(body.events.toReversed().map(({ identity }) => identity.split('/').at(-1)));
    expect(own_records.map(({ tenant_identity }) => tenant_identity)).to.deep.equal([
      parties.alpha.identity,
      parties.beta.identity,
    ]);
    expect([uuids.length, await exitCodeOf(file)]).to.deep.equal([2, 0]);
    for (const claimed of [[...events, 0], events.slice(1)])
      expect(await exitCodeOf({ ...file, claim: { ...(file.claim as EvidenceFile), events: claimed } })).to.equal(1);
  });

  it('says in verdicts what the API says, with contributions and without', async () => {
    for (const [asset, kind, compliant] of [
      [SHARED_ASSET, 'merged_verdict', true],
      [OWN_ASSET, 'verdict', false],
    ] as const) {
      const file = await makeVerdict(asset);
      const claim = file.claim as EvidenceFile;
      expect(claim).to.deep.include({ kind, compliant: await askCompliant(asset) });
      expect([claim.compliant, await exitCodeOf(file)]).to.deep.equal([compliant, 0]);
      expect(await exitCodeOf({ ...file, claim: { ...claim, compliant: !compliant } })).to.equal(1);
    }
  });

  it('shows one event of the asset alone where that proves the verdict', async () => {
    await parties.ledger.writer.append(parties.alpha.identity, measureAt(2, 11));
    atMs = Date.now();
    const claim = (await makeVerdict(OWN_ASSET)).claim as EvidenceFile;
    expect(claim).to.deep.include({ compliant: true, count: 1, policy_from: 2, from: 1 });
  });
});
