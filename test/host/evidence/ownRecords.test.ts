// Evidence of a verdict says what a check of the API says, and so does who verifies it: also where a writer recorded
// something before the tenant's own record.
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeHeader } from '../../../chain/nodeReport/consensus/reportedHeader.ts';
import type { EvidenceContext } from '../../../host/evidence/evidenceContext.ts';
import { makeVerdictParts } from '../../../host/evidence/verdictEvidence.ts';
import { createTreeView } from '../../../indexer/reads/createTreeView.ts';
import type { TreeView } from '../../../indexer/treeView.ts';
import { toEventRanges } from '../../../ledger/compliance/eventRange.ts';
import { finish, type Steps } from '../../../ledger/compliance/steps.ts';
import { advanceHead, EMPTY_HEAD, toDomainSeparator, toRecordDigest } from '../../../ledger/encoding/digest.ts';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import type { LedgerError } from '../../../ledger/errors.ts';
import { toBase64 } from '../../../ledger/evidence/base64.ts';
import { encodeBlockHeader } from '../../../ledger/evidence/blockHeader.ts';
import { EMPTY_FRONTIER, extendFrontier, hashLeaf, toFrontierRoot } from '../../../ledger/evidence/merkleTree.ts';
import type { ReceiptLog } from '../../../ledger/evidence/receipt.ts';
import { toVersionIdentity } from '../../../ledger/identity.ts';
import type { PolicyResource } from '../../../ledger/records/policy.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { evaluatePolicies } from '../../../server/records/evaluation.ts';
import { check } from '../../support/checkedEvidence.ts';
import type { EvidenceFile } from '../../support/evidenceFiles.ts';
import { CONTRACT } from '../../support/fakeChain.ts';
import { runs } from '../../support/propertyRuns.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import {
  ALPHA,
  aCreation,
  anEvent,
  aPolicyRecord,
  assetOf,
  aTenantRecord,
  eventOf,
  policyOf,
  uuidOf,
} from '../../support/records.ts';
import { sealBft } from '../../support/sealedHeaders.ts';
import { useIndex } from '../../support/viewFixture.ts';
import { withReceipt } from '../../verifiers/encodingChanges.ts';
import { toLog, toReceipt } from '../../verifiers/ownVerdicts.ts';

const AT_MS = Date.parse('2026-11-20T12:10:00.000Z');
const TYPES = ['Oiling', 'Painting'];
const UNTIL_ALL = { head: undefined, untilBlock: Number.MAX_SAFE_INTEGER, isRequested: true };
const LEDGER = { chain_id: 1, contract: CONTRACT };
const DOMAIN = toDomainSeparator({ chainId: 1, contract: fromHex(CONTRACT) });
const TIME_SECONDS = AT_MS / 1_000 + 60;
const HEADER = sealBft('qbft', { fields: { number: '0x7fff', timestamp: `0x${TIME_SECONDS.toString(16)}` } });
const BLOCK = { rule: 'ethereum', header: toBase64(encodeBlockHeader(decodeHeader(HEADER)!.header)), anchors: [] };

const step = fc.record({
  kind: fc.constantFrom('tenant', 'other', 'policy', 'policy', 'creation', 'event', 'event'),
  type: fc.constantFrom(...TYPES),
  compliance: fc.constantFrom('COMPLIANCE_SINCE' as const, 'COMPLIANCE_CURRENT_OUTSTANDING' as const),
  follows: fc.nat(3),
  isDeleted: fc.nat(5).map((one) => one === 0),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const versionOf = (number: number): string => toVersionIdentity(policyOf(1), uuidOf(number));
const tenantAt = (number: number): string => toVersionIdentity(ALPHA, uuidOf(number));

// Of a policy any version may follow any other, or none.
const toRecord = (
  { kind, type, compliance, follows, isDeleted }: Step,
  at: number,
  steps: readonly Step[],
): LedgerRecord => {
  if (kind === 'tenant') return aTenantRecord(ALPHA, { identity: tenantAt(at), follows: '' });
  // Of the tenant's own stream, and not its own record: nothing that it follows is there.
  if (kind === 'other') return aTenantRecord(ALPHA, { identity: tenantAt(at), follows: tenantAt(999) });
  if (kind === 'creation') return aCreation({ identity: eventOf(1, at) });
  if (kind === 'event') return anEvent({ identity: eventOf(1, at), event_attributes: { arc_display_type: type } });
  const earlier = steps.flatMap((each, number) => (each.kind === 'policy' && number < at ? [versionOf(number)] : []));
  return aPolicyRecord(1, {
    identity: versionOf(at),
    follows: ['', ...earlier.toReversed()][follows] ?? '',
    asset_filter: [],
    compliance_type: compliance,
    event_display_type: type,
    closing_event_display_type: 'Painting',
    is_deleted: isDeleted,
  });
};

describe("evidence of a verdict beside records from before the tenant's own", () => {
  const index = useIndex();

  const record = async (records: readonly LedgerRecord[]): Promise<void> => {
    await index().clear();
    const ends = new Map<string, { readonly sequence: number; readonly head: Uint8Array }>();
    const logs = records.map((each, at) => {
      const log = toRecordLog({ record: each }, at + 1);
      const [tenantKey, streamKey, recordKey, author] = [log.tenantKey, log.streamKey, log.recordKey, log.author].map(
        fromHex,
      ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
      const digest = toRecordDigest(DOMAIN, { tenantKey, streamKey, recordKey, author, payload: log.payload });
      const end = ends.get(log.streamKey) ?? { sequence: 0, head: EMPTY_HEAD };
      const next = { sequence: end.sequence + 1, head: advanceHead(end.head, digest) };
      ends.set(log.streamKey, next);
      return { ...log, digest: toHex(digest), sequence: next.sequence, head: toHex(next.head) };
    });
    await index().take(logs);
  };

  /** The verdict of a check of the API; undefined where it knows no such asset or policy. */
  const checkByApi = async (): Promise<boolean | undefined> => {
    let policies: PolicyResource[] = [];
    const found = await index().view.readPolicyEvents(ALPHA, uuidOf(1), AT_MS, async (_, list) => {
      const { items } = await list({ limit: 10, position: undefined, isCounted: false });
      policies = items.map((decode) => decode());
      return toEventRanges(policies, AT_MS);
    });
    return found && finish(evaluatePolicies(found, policies, AT_MS))[0]?.compliant;
  };

  // The contract would attest all records that there are, in one transaction.
  const toContext = (logs: ReceiptLog[]): EvidenceContext => {
    const trees = createTreeView(index().store);
    const attest = (event: string, values: readonly unknown[]) => {
      const logIndex = logs.push(toLog(CONTRACT, event, values)) - 1;
      return { blockNumber: 1, transactionIndex: 0, logIndex };
    };
    const attested: Pick<TreeView, 'readAttestedStream' | 'readAttestedTree'> = {
      readAttestedStream: async (tenantKey, streamKey) => {
        const all = await trees.readStreamRecords(tenantKey, streamKey, 1, 1_000);
        const head = all.reduce((before, { leaf }) => advanceHead(before, leaf.digest), EMPTY_HEAD);
        return { count: all.length, head, ...attest('StreamAttested', [tenantKey, streamKey, head, all.length]) };
      },
      readAttestedTree: async (tenantKey) => {
        const size = await trees.readTreeSize(tenantKey);
        const hashes: Uint8Array[] = [];
        for await (const leaf of trees.readLeaves(tenantKey, 0, size)) hashes.push(hashLeaf(leaf));
        const root = toFrontierRoot(extendFrontier(EMPTY_FRONTIER, hashes));
        return { size, root, ...attest('TenantAttested', [tenantKey, size, root]) };
      },
    };
    const prove = async ({ logIndex: log }: { logIndex: number }) => ({
      block: BLOCK,
      proof: { kind: 'log', block: 0, transaction: 0, nodes: [], log },
      timeSeconds: TIME_SECONDS,
    });
    return {
      trees: { ...trees, ...attested },
      logProofs: { prove },
      coverage: {
        cover: async (_asker: unknown, _names: unknown, find: (reach: unknown) => unknown) => find(UNTIL_ALL),
      },
      runInTurn: (_party: string, task: () => unknown) => task(),
      runSteps: async (steps: Steps<unknown>) => finish(steps),
      holdAtLeast: () => undefined,
    } as unknown as EvidenceContext;
  };

  const query = { tenantIdentity: ALPHA, policyIdentity: policyOf(1), assetIdentity: assetOf(1), atMs: AT_MS };
  /** A file with the roots of trust of who notes its block. */
  const makeFile = async (): Promise<{ readonly file: EvidenceFile; readonly trust: EvidenceFile }> => {
    const logs: ReceiptLog[] = [];
    const parts = await makeVerdictParts(toContext(logs), query);
    const file = { format: 'provenance-ledger/evidence/1', ledger: LEDGER, ...parts } as unknown as EvidenceFile;
    return withReceipt(file, toReceipt(logs))!;
  };
  const flip = (file: EvidenceFile): EvidenceFile => {
    const claim = file.claim as EvidenceFile;
    return { ...file, claim: { ...claim, compliant: claim.compliant !== true } };
  };
  const withoutOwn = ({ claim, ...file }: EvidenceFile): EvidenceFile => {
    const { own_count, policy_from: _, from: __, ...others } = claim as EvidenceFile;
    const [records, proofs] = [file.records as unknown[], file.proofs as { kind: string }[]];
    return {
      ...file,
      claim: others,
      records: records.slice(0, records.length - Number(own_count)),
      leaves: '',
      proofs: proofs.slice(0, 2),
    } as unknown as EvidenceFile;
  };

  it('is what the API says, and confirmed by who verifies it, in any history', async () => {
    const histories = fc.array(step, { minLength: 4, maxLength: 12 });
    const answers = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        await record(steps.map(toRecord));
        const wanted = await checkByApi();
        if (wanted === undefined) return;
        const { file, trust } = await makeFile();
        const { compliant, own_count } = file.claim as { compliant: boolean; own_count?: number };
        expect(compliant).to.equal(wanted);
        const { exitCode, findings } = await check(file, trust);
        expect(exitCode, JSON.stringify(findings)).to.equal(0);
        expect((await check(flip(file), trust)).exitCode).to.equal(1);
        const answer = `${compliant} ${own_count === undefined ? 'alone' : 'with own'} ${(file.proofs as []).length > 3}`;
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }),
      runs(300),
    );
    expect([...answers.keys()]).to.include.members(['true alone false', 'true with own true', 'false with own true']);
  });

  const policy = (number: number, event_display_type: string) =>
    aPolicyRecord(1, { identity: versionOf(number), follows: '', asset_filter: [], event_display_type });
  const [own, creation] = [aTenantRecord(ALPHA), aCreation({ identity: eventOf(1, 9) })];
  const oiled = anEvent({ event_attributes: { arc_display_type: 'Oiling' } });

  it('does not show the tenant where they make no difference', async () => {
    await record([oiled, own, aCreation(), aPolicyRecord(1, { asset_filter: [] })]);
    const { file, trust } = await makeFile();
    expect((file.claim as EvidenceFile).own_count).to.equal(undefined);
    expect([await checkByApi(), (await check(file, trust)).exitCode]).to.deep.equal([false, 0]);
  });

  it("shows the tenant's own record where the policy or the asset would be another one without it", async () => {
    for (const [records, compliant, claimed] of [
      [[policy(1, 'Painting'), own, creation, policy(2, 'Oiling'), oiled], true, { policy_from: 2, from: 1 }],
      [[aCreation(), oiled, own, creation, policy(1, 'Oiling')], false, { policy_from: 1, from: 3 }],
    ] as const) {
      await record(records);
      const { file, trust } = await makeFile();
      expect(file.claim).to.deep.include({ compliant, own_count: 1, ...claimed });
      expect([await checkByApi(), (await check(file, trust)).exitCode]).to.deep.equal([compliant, 0]);
    }
  });

  it('is refuted where it counts others than those after it', async () => {
    await record([
      policy(1, 'Painting'),
      aCreation(),
      own,
      creation,
      policy(2, 'Oiling'),
      oiled,
      policy(3, 'Painting'),
    ]);
    const { file, trust } = await makeFile();
    const claim = file.claim as EvidenceFile;
    expect((await check(file, trust)).exitCode).to.equal(0);
    for (const changed of [{ policy_from: 1 }, { policy_from: 3 }, { own_count: 2 }, { policy_from: 9 }, { from: 0 }])
      expect((await check({ ...file, claim: { ...claim, ...changed } }, trust)).exitCode).to.be.oneOf([1, 2]);
  });

  it("can't be checked with some of what says which records have an effect, or beyond the last one", async () => {
    await record([policy(1, 'Painting'), own, creation, policy(2, 'Oiling'), oiled]);
    const { file, trust } = await makeFile();
    const claim = file.claim as EvidenceFile;
    for (const name of ['own_count', 'policy_from', 'from']) {
      const { [name]: _, ...others } = claim;
      expect((await check({ ...file, claim: others }, trust)).exitCode).to.equal(2);
      expect((await check({ ...file, claim: { ...claim, [name]: 9 } }, trust)).exitCode).to.equal(2);
      expect((await check({ ...file, claim: { ...claim, [name]: 0 } }, trust)).exitCode).to.equal(2);
    }
  });

  it('says so in words where the file counts the records from the first one on', async () => {
    await record([aCreation(), oiled, own, creation, policy(1, 'Oiling')]);
    const { file, trust } = await makeFile();
    const textOf = async (one: EvidenceFile) =>
      (await check(one, trust)).findings.find(({ question }) => question === 'verdict')?.text;
    expect(await textOf(file)).to.include("from the tenant's own record on");
    expect(await textOf(flip(withoutOwn(file)))).to.include('which the file counts from the first one on');
  });

  it('is refused for a policy that has an effect no more', async () => {
    await record([policy(1, 'Oiling'), own, creation, oiled]);
    const code = await makeFile().catch(({ code: found }: LedgerError) => found);
    expect([await checkByApi(), code]).to.deep.equal([undefined, 'REQUEST_INVALID']);
  });
});
