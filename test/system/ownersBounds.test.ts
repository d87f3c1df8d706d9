// What is kept of an owner's access policies and subjects to find those that a file needs is bounded, and so is what
// such a file can't be made of.
import { expect } from 'chai';
import { readCandidates } from '../../host/evidence/mergedCandidates.ts';
import { planMerged } from '../../host/evidence/mergedPlan.ts';
import type { RecordBounds } from '../../host/evidence/mergedStreams.ts';
import type { LedgerError } from '../../ledger/errors.ts';
import { toKey } from '../../ledger/identity.ts';
import { MEASURE, type Parties, shareAsset } from '../support/contributedAsset.ts';
import { accessPolicyOf, anAccessPolicyRecord, aPermission, subjectOf, uuidOf } from '../support/records.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';

const VERSIONS = 10;
const MANY = 1_000_000_000;

describe('the bounds of the search for what a file of contributions needs', () => {
  const shared = useSharedLedger();
  let parties: Parties;
  let bytes: number;
  const readBytes = async (streamIdentity: string): Promise<number> => {
    const { ledger, alpha } = parties;
    const found = await ledger.trees.readStreamRecords(toKey(alpha.identity), toKey(streamIdentity), 1, 2);
    expect(found).to.have.length(1);
    return found[0]!.payload.length;
  };
  // The policy that is needed comes first, then a longer one that isn't.
  before(async () => {
    const { ledger, server } = shared();
    parties = await shareAsset(ledger, server);
    const { alpha, beta, asset, policy, subject } = parties;
    await beta.post(`${asset.identity}/events`, MEASURE);
    const access_permissions = [aPermission({ subjects: [subjectOf(9)], behaviours: ['RecordEvidence'] })];
    const versions = Array.from({ length: VERSIONS }, (_, at) =>
      anAccessPolicyRecord(5, { identity: `${accessPolicyOf(5)}/versions/${uuidOf(at)}`, access_permissions }),
    );
    await Promise.all(versions.map((version) => ledger.writer.append(alpha.identity, version)));
    bytes = (await readBytes(policy)) + (await readBytes(subject));
  });

  const owned = () => ({ tenantIdentity: parties.alpha.identity, assetIdentity: parties.asset.identity });
  const readKept = async (bounds: RecordBounds) => {
    const streams = [{ tenantIdentity: parties.alpha.identity, streamIdentity: parties.asset.identity }];
    const { owners, isComplete } = await readCandidates(parties.ledger, owned(), streams, bounds);
    return { kept: [...owners.keys()], isComplete };
  };
  const plan = async (bounds: RecordBounds): Promise<unknown> => {
    try {
      return (await planMerged(parties.ledger, owned(), bounds)).streams.map(({ streamIdentity }) => streamIdentity);
    } catch (error) {
      return (error as LedgerError).code;
    }
  };
  const toStreams = (): string[] => {
    const { alpha, asset, policy, subject } = parties;
    return [asset.identity, `${alpha.identity}/${asset.identity}`, policy, subject];
  };

  it('keep everything that fits', async () => {
    const { policy, subject } = parties;
    const bounds = { recordsMax: VERSIONS + 2, bytesMax: MANY };
    const kept = [policy, accessPolicyOf(5), subject, subjectOf(9)];
    expect(await readKept(bounds)).to.deep.equal({ kept, isComplete: true });
    expect(await plan(bounds)).to.deep.equal(toStreams());
  });

  it('leave out what is too long, and go on with what fits', async () => {
    const { policy, subject } = parties;
    for (const bounds of [
      { recordsMax: VERSIONS + 1, bytesMax: MANY },
      { recordsMax: 2, bytesMax: MANY },
      { recordsMax: MANY, bytesMax: bytes },
    ]) {
      const { kept, isComplete } = await readKept(bounds);
      expect([kept, isComplete]).to.deep.equal([
        bounds.recordsMax === VERSIONS + 1 ? [policy, accessPolicyOf(5), subjectOf(9)] : [policy, subject],
        false,
      ]);
    }
  });

  it('make the file too large where what it needs is left out', async () => {
    expect(await plan({ recordsMax: 2, bytesMax: MANY })).to.deep.equal(toStreams());
    expect(await plan({ recordsMax: MANY, bytesMax: bytes })).to.deep.equal(toStreams());
    for (const bounds of [
      { recordsMax: 1, bytesMax: MANY },
      { recordsMax: VERSIONS + 1, bytesMax: MANY },
      { recordsMax: MANY, bytesMax: bytes - 1 },
      { recordsMax: 0, bytesMax: 0 },
    ])
      expect(await plan(bounds), JSON.stringify(bounds)).to.equal('EVIDENCE_TOO_LARGE');
  });
});
