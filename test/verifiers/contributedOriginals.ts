// Files about an asset to which another tenant contributed, as originals: made by a server, because their form is too
// rich to be made by hand.
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import type { Ledger } from '../../host/openLedger.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { hashesOf } from '../support/checkedEvidence.ts';
import { MEASURE, type Parties, permitTypes, recordUnchecked, shareAsset } from '../support/contributedAsset.ts';
import { createEvidenceMaker, type EvidenceFile } from '../support/evidenceFiles.ts';
import { uuidOf } from '../support/records.ts';
import { type ListeningServer, send } from '../support/testLedger.ts';
import type { Original } from './originals.ts';

const TOGETHER = 4;
/** An attachment that isn't a blob of the owner. */
const PHOTO = { arc_attribute_type: 'arc_attachment', arc_blob_identity: `blobs/${uuidOf(0xb)}` };

/** A file whose blocks the caller notes. */
export const toOriginal = (name: string, file: EvidenceFile): Original => ({
  name,
  file,
  trust: { ...(file.ledger as EvidenceFile), blocks: hashesOf(file) },
});

/** Events of both tenants, some of them in the same block, one of them without effect. */
export const recordTogether = async ({ alpha, beta, asset }: Parties): Promise<void> => {
  for (;;) {
    const answers = await Promise.all(
      Array.from({ length: TOGETHER }, (_, at) => [
        beta.post<EventResource>(`${asset.identity}/events`, { ...MEASURE, asset_attributes: { weight: `b${at}` } }),
        alpha.post<EventResource>(`${asset.identity}/events`, { ...MEASURE, asset_attributes: { weight: `a${at}` } }),
      ]).flat(),
    );
    const blocks = Map.groupBy(answers, ({ body }) => body.block_number);
    const isShared = (some: typeof answers): boolean => new Set(some.map(({ body }) => body.tenant_identity)).size > 1;
    if ([...blocks.values()].some(isShared)) return;
  }
};

const createPolicy = async (url: string, { alpha }: Parties): Promise<string> => {
  const body = {
    compliance_type: 'COMPLIANCE_SINCE',
    display_name: 'measured',
    description: '',
    event_display_type: 'Measure',
    time_period_seconds: 3_600,
    asset_filter: [{ or: ['weight=*'] }],
  };
  const answer = await send<{ identity: string }>(`${url}/archivist/v1/compliance_policies`, alpha.token, { body });
  return answer.body.identity;
};

/** A file of a server: what is in the last block, or is about its second, needs the next one. */
export const untilMade = async (request: () => Promise<string>): Promise<EvidenceFile> => {
  for (;;) {
    const text = await request().catch((error: { code?: string }) => {
      if (error.code !== 'EVIDENCE_PENDING') throw error;
    });
    if (text !== undefined) return JSON.parse(text) as EvidenceFile;
  }
};

const makeServed = async (ledger: Ledger, parties: Parties, url: string): Promise<Record<string, EvidenceFile>> => {
  const checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
  const evidence = openEvidence({ ledger, checkpoints, waitMs: 30_000 });
  const named = { tenantIdentity: parties.alpha.identity, assetIdentity: parties.asset.identity };
  const policyIdentity = await createPolicy(url, parties);
  const history = { ...named, isPublic: false };
  const verdict = { ...named, policyIdentity, atMs: Date.now() };
  const files = {
    'merged digests': await untilMade(() => evidence.makeHistoryEvidence({ ...history, isDisclosed: false })),
    'merged history': await untilMade(() => evidence.makeHistoryEvidence({ ...history, isDisclosed: true })),
    'merged verdict': await untilMade(() => evidence.makeVerdictEvidence(verdict)),
  };
  await evidence.close();
  await checkpoints.close();
  const last = (files['merged history'].proofs as EvidenceFile[]).at(-1)!;
  if (last.kind !== 'log') throw new Error('no block has records of both tenants');
  return files;
};

/** Lets a tenant contribute to an asset of another one, and makes the originals. */
export const makeContributedOriginals = async (ledger: Ledger, server: ListeningServer): Promise<Original[]> => {
  const maker = createEvidenceMaker(ledger);
  const parties = await shareAsset(ledger, server);
  const { beta, asset } = parties;
  const { body: event } = await beta.post<EventResource>(`${asset.identity}/events`, MEASURE);
  await recordTogether(parties);
  await permitTypes(parties, server, ['Count']);
  await recordUnchecked(parties);
  await permitTypes(parties, server, ['Count', 'Measure']);
  await recordUnchecked(parties, {
    event_attributes: { ...MEASURE.event_attributes, photo: PHOTO },
    asset_attributes: { weight: '9' },
  });
  const { alpha, subject } = parties;
  await send(`${server.url}/archivist/iam/v1/${subject}`, alpha.token, { method: 'DELETE' });
  await recordUnchecked(parties, { asset_attributes: { weight: '10' } });
  const files = {
    'contribution in its log': await maker.event(event),
    'contribution in the tree': await maker.event(event, await maker.attest(beta.identity)),
    ...(await makeServed(ledger, parties, server.url)),
  };
  return Object.entries(files).map(([name, file]) => toOriginal(name, file));
};
