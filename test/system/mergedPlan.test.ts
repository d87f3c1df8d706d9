// Which streams the file of an asset with contributions has, whatever else its owner and other tenants recorded.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { type OpenEvidence, openEvidence } from '../../host/evidence/openEvidence.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { check, hashesOf } from '../support/checkedEvidence.ts';
import { MEASURE, type Parties, recordUnchecked, shareAsset } from '../support/contributedAsset.ts';
import { createEvidenceMaker, type EvidenceFile } from '../support/evidenceFiles.ts';
import {
  aBlobRecord,
  accessPolicyOf,
  anAccessPolicyRecord,
  aPermission,
  blobOf,
  subjectOf,
  uuidOf,
} from '../support/records.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { send } from '../support/testLedger.ts';

const TIMES = 200;
const TOGETHER = 100;

interface Claim {
  readonly parts: readonly { readonly identity: string; readonly count: number }[];
  readonly events: readonly number[];
}

const claimOf = ({ claim }: EvidenceFile): Claim => claim as unknown as Claim;

const blobsOf = (file: EvidenceFile): unknown[] =>
  claimOf(file)
    .parts.filter(({ identity }) => identity.startsWith('blobs/'))
    .map(({ identity, count }) => [identity, count]);

/** Events that attach these blobs. */
const attaching = (blobs: readonly string[], displayType = 'Measure') => ({
  event_attributes: {
    arc_display_type: displayType,
    photos: blobs.map((blob) => ({ arc_attribute_type: 'arc_attachment', arc_blob_identity: blob })),
  },
});

const inventBlobs = (count: number): string[] => Array.from({ length: count }, () => `blobs/${randomUUID()}`);

describe('the streams of the file of an asset with contributions', () => {
  const shared = useSharedLedger();
  const closing: (() => Promise<void>)[] = [];
  let evidence: OpenEvidence;
  let parties: Parties;

  before(async () => {
    const { ledger, server } = shared();
    parties = await shareAsset(ledger, server);
    const checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
    closing.push(checkpoints.close);
    evidence = openEvidence({ ledger, checkpoints, waitMs: 30_000 });
    closing.push(evidence.close);
  });
  beforeEach(async () => {
    parties = { ...parties, asset: await parties.alpha.createAsset({ weight: '7' }) };
    await parties.beta.post(`${parties.asset.identity}/events`, MEASURE);
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });

  const request = (): Promise<string> => {
    const { alpha, asset } = parties;
    const asked = { tenantIdentity: alpha.identity, assetIdentity: asset.identity };
    return evidence.makeHistoryEvidence({ ...asked, isDisclosed: true, isPublic: false });
  };
  // A contribution in the block of an attestation needs the next one.
  const makeHistory = async (): Promise<EvidenceFile> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return JSON.parse(await request()) as EvidenceFile;
      } catch (error) {
        if (!(error instanceof LedgerError && error.code === 'EVIDENCE_PENDING' && attempt < TIMES)) throw error;
      }
    }
  };
  const makeChecked = async (): Promise<EvidenceFile> => {
    const file = await makeHistory();
    const found = await check(file, createEvidenceMaker(parties.ledger).trust({ blocks: hashesOf(file) }));
    expect(found.exitCode, JSON.stringify(found.findings)).to.equal(0);
    const { events } = (await parties.alpha.get<{ events: unknown[] }>(`${parties.asset.identity}/events`)).body;
    expect(claimOf(file).events.length).to.equal(events.length);
    return file;
  };
  const refusalOf = async (): Promise<unknown> => {
    try {
      await makeHistory();
      return undefined;
    } catch (error) {
      return (error as LedgerError).code;
    }
  };
  const appendVersions = async (policy: number, count: number): Promise<void> => {
    const { ledger, alpha } = parties;
    const access_permissions = [aPermission({ subjects: [subjectOf(9)], behaviours: ['RecordEvidence'] })];
    const toVersion = (at: number) => {
      const identity = `${accessPolicyOf(policy)}/versions/${uuidOf(at)}`;
      return anAccessPolicyRecord(policy, { identity, access_permissions });
    };
    for (let from = 0; from < count; from += TOGETHER)
      await Promise.all(
        Array.from({ length: Math.min(TOGETHER, count - from) }, (_, at) =>
          ledger.writer.append(alpha.identity, toVersion(from + at)),
        ),
      );
  };
  const appendBlobs = async (blobs: readonly number[]): Promise<void> => {
    const { ledger, alpha } = parties;
    for (const blob of blobs) await ledger.writer.append(alpha.identity, aBlobRecord(blob));
  };
  const grantWhileLight = async (): Promise<void> => {
    const { alpha, policy } = parties;
    const change = { method: 'PATCH', body: { filters: [{ or: ['weight=7', 'weight=8'] }] } };
    await send(`${shared().server.url}/archivist/iam/v1/${policy}`, alpha.token, change);
  };
  const makeHeavy = (blob: number): Promise<unknown> =>
    recordUnchecked(parties, { ...attaching([blobOf(blob)]), asset_attributes: { weight: '9' } });

  it('have no blobs of contributions that no policy grants', async () => {
    await recordUnchecked(parties, attaching(inventBlobs(100), 'Count'));
    const file = await makeChecked();
    expect([blobsOf(file), claimOf(file).events.length]).to.deep.equal([[], 2]);
  });

  it('have the blobs of contributions that count, which the owner lacks', async () => {
    const blobs = inventBlobs(2);
    await recordUnchecked(parties, attaching(blobs));
    const file = await makeChecked();
    expect([blobsOf(file), claimOf(file).events.length]).to.deep.equal([blobs.map((blob) => [blob, 0]), 3]);
  });

  it('have one blob of the owner of each contribution that attaches some, if it would count without', async () => {
    await appendBlobs([1, 2, 3]);
    await recordUnchecked(parties, attaching([...inventBlobs(70), blobOf(1), blobOf(2)]));
    await recordUnchecked(parties, attaching([blobOf(1)]));
    await recordUnchecked(parties, attaching([blobOf(3)], 'Count'));
    await recordUnchecked(parties, { asset_attributes: { weight: '9' } });
    const file = await makeChecked();
    expect([blobsOf(file), claimOf(file).events.length]).to.deep.equal([[[blobOf(1), 1]], 3]);
  });

  it('have such a blob also if the contribution would count only without an earlier one', async () => {
    await appendBlobs([4, 5]);
    await grantWhileLight();
    await makeHeavy(4);
    await recordUnchecked(parties, attaching([blobOf(5)]));
    const file = await makeChecked();
    expect([blobsOf(file).length, claimOf(file).events.length]).to.deep.equal([2, 2]);
  });

  it('are not found where more than seven contributions would count, each only without the one before', async () => {
    const blobs = [11, 12, 13, 14, 15, 16, 17];
    await appendBlobs([...blobs, 18]);
    await grantWhileLight();
    for (const blob of blobs) await makeHeavy(blob);
    const file = await makeChecked();
    expect([blobsOf(file).length, claimOf(file).events.length]).to.deep.equal([blobs.length, 2]);
    await makeHeavy(18);
    expect(await refusalOf()).to.equal('EVIDENCE_INCOMPLETE');
  });

  it('are too many where contributions that count attach 64 blobs', async () => {
    await recordUnchecked(parties, attaching(inventBlobs(64)));
    expect(await refusalOf()).to.equal('EVIDENCE_TOO_LARGE');
  });

  it('have no access policies that grant none of the contributions, however long they are', async () => {
    await appendVersions(5, 1_999);
    await appendVersions(6, 2_001);
    const { parts } = claimOf(await makeChecked());
    expect(parts.map(({ identity }) => identity.split('/')[0])).to.deep.equal([
      'assets',
      'tenant',
      'access_policies',
      'subjects',
    ]);
  });
});
