// Evidence of a verdict says what a check of the API says, or there is none: also where a writer recorded something
// before the tenant's own record.
import { expect } from 'chai';
import fc from 'fast-check';
import type { EvidenceContext } from '../../../host/evidence/evidenceContext.ts';
import { makeVerdictParts } from '../../../host/evidence/verdictEvidence.ts';
import { createTreeView } from '../../../indexer/reads/createTreeView.ts';
import type { TreeView } from '../../../indexer/treeView.ts';
import { toEventRanges } from '../../../ledger/compliance/eventRange.ts';
import { finish } from '../../../ledger/compliance/steps.ts';
import { advanceHead, EMPTY_HEAD } from '../../../ledger/encoding/digest.ts';
import type { LedgerError } from '../../../ledger/errors.ts';
import { toStreamIdentityOf, toVersionIdentity } from '../../../ledger/identity.ts';
import type { PolicyResource } from '../../../ledger/records/policy.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { evaluatePolicies } from '../../../server/records/evaluation.ts';
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
import { useIndex } from '../../support/viewFixture.ts';

const AT_MS = Date.parse('2026-11-20T12:10:00.000Z');
const TYPES = ['Oiling', 'Painting'];
const UNTIL_ALL = { head: undefined, untilBlock: Number.MAX_SAFE_INTEGER, isRequested: true };
const PLACE = { block: { header: 'one' }, proof: { kind: 'log' }, timeSeconds: Number.MAX_SAFE_INTEGER };

const step = fc.record({
  kind: fc.constantFrom('tenant', 'policy', 'policy', 'creation', 'event', 'event'),
  type: fc.constantFrom(...TYPES),
  follows: fc.nat(3),
  isDeleted: fc.nat(5).map((one) => one === 0),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const versionOf = (number: number): string => toVersionIdentity(policyOf(1), uuidOf(number));

// Of a policy any version may follow any other, or none.
const toRecord = ({ kind, type, follows, isDeleted }: Step, at: number, steps: readonly Step[]): LedgerRecord => {
  if (kind === 'tenant') return aTenantRecord(ALPHA, { identity: toVersionIdentity(ALPHA, uuidOf(at)), follows: '' });
  if (kind === 'creation') return aCreation({ identity: eventOf(1, at) });
  if (kind === 'event') return anEvent({ identity: eventOf(1, at), event_attributes: { arc_display_type: type } });
  const earlier = steps.flatMap((each, number) => (each.kind === 'policy' && number < at ? [versionOf(number)] : []));
  return aPolicyRecord(1, {
    identity: versionOf(at),
    follows: ['', ...earlier.toReversed()][follows] ?? '',
    asset_filter: [],
    event_display_type: type,
    is_deleted: isDeleted,
  });
};

describe("evidence of a verdict beside records from before the tenant's own", () => {
  const index = useIndex();

  const record = async (records: readonly LedgerRecord[]): Promise<void> => {
    await index().clear();
    const counts = new Map<string, number>();
    const logs = records.map((each, at) => {
      const stream = toStreamIdentityOf(each);
      const sequence = (counts.get(stream) ?? 0) + 1;
      counts.set(stream, sequence);
      return toRecordLog({ record: each, changed: { sequence } }, at + 1);
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

  const toContext = (): EvidenceContext => {
    const trees = createTreeView(index().store);
    // The contract would attest all records that there are.
    const attested: Pick<TreeView, 'readAttestedStream' | 'readAttestedTree'> = {
      readAttestedStream: async (tenantKey, streamKey) => {
        const all = await trees.readStreamRecords(tenantKey, streamKey, 1, 1_000);
        const head = all.reduce((before, { leaf }) => advanceHead(before, leaf.digest), EMPTY_HEAD);
        return { count: all.length, head, blockNumber: 1, transactionIndex: 0, logIndex: 0 };
      },
      readAttestedTree: async (tenantKey) => {
        const size = await trees.readTreeSize(tenantKey);
        return { size, root: new Uint8Array(32), blockNumber: 1, transactionIndex: 0, logIndex: 0 };
      },
    };
    return {
      trees: { ...trees, ...attested },
      logProofs: { prove: async () => PLACE },
      coverage: {
        cover: async (_asker: unknown, _names: unknown, find: (reach: unknown) => unknown) => find(UNTIL_ALL),
      },
      runInTurn: (_party: string, task: () => unknown) => task(),
      holdAtLeast: () => undefined,
    } as unknown as EvidenceContext;
  };

  const query = { tenantIdentity: ALPHA, policyIdentity: policyOf(1), assetIdentity: assetOf(1), atMs: AT_MS };
  const makeVerdict = (): Promise<unknown> =>
    makeVerdictParts(toContext(), query).then(
      ({ claim }) => claim.compliant,
      ({ code }: LedgerError) => code,
    );

  it('is what the API says, or refused where a file would count them, in any history', async () => {
    const histories = fc.array(step, { minLength: 4, maxLength: 12 });
    const answers = new Map<unknown, number>();
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        await record(steps.map(toRecord));
        const wanted = await checkByApi();
        if (wanted === undefined) return;
        const found = await makeVerdict();
        const isEarly = steps[0]!.kind !== 'tenant';
        expect(found).to.be.oneOf(isEarly ? [wanted, 'EVIDENCE_INCOMPLETE'] : [wanted]);
        answers.set(found, (answers.get(found) ?? 0) + 1);
      }),
      runs(300),
    );
    expect([...answers.keys()]).to.have.members([true, false, 'EVIDENCE_INCOMPLETE']);
  });

  it('is made where they make no difference', async () => {
    const event = anEvent({ event_attributes: { arc_display_type: 'Oiling' } });
    await record([event, aTenantRecord(ALPHA), aCreation(), aPolicyRecord(1, { asset_filter: [] })]);
    expect([await checkByApi(), await makeVerdict()]).to.deep.equal([false, false]);
  });

  it('is refused where the policy or the asset would be another one', async () => {
    const policy = (number: number, type: string) =>
      aPolicyRecord(1, { identity: versionOf(number), follows: '', asset_filter: [], event_display_type: type });
    const oiled = anEvent({ event_attributes: { arc_display_type: 'Oiling' } });
    const [own, creation] = [aTenantRecord(ALPHA), aCreation({ identity: eventOf(1, 9) })];
    for (const records of [
      [policy(1, 'Painting'), own, creation, policy(2, 'Oiling'), oiled],
      [aCreation(), oiled, own, creation, policy(1, 'Oiling')],
    ]) {
      await record(records);
      expect(await checkByApi()).to.be.a('boolean');
      expect(await makeVerdict()).to.equal('EVIDENCE_INCOMPLETE');
    }
  });
});
