// Files that show tenants' own records, as originals: made by a server, of tenants for which writers recorded something
// before.
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { MEASURE, recordUnchecked } from '../support/contributedAsset.ts';
import { ATTACHED, JUDGED, measureAt, OWN_ASSET, SHARED_ASSET, shareAfterEarly } from '../support/earlyRecords.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { ListeningServer } from '../support/testLedger.ts';
import { until } from '../support/until.ts';
import { toOriginal, untilMade } from './contributedOriginals.ts';
import type { Original } from './originals.ts';

/** Records before and after the tenants' own records, and makes the originals. */
export const makeEarlyOriginals = async (ledger: Ledger, server: ListeningServer): Promise<Original[]> => {
  const parties = await shareAfterEarly(ledger, server);
  const { alpha } = parties;
  await recordUnchecked(parties, { event_attributes: { ...MEASURE.event_attributes, photo: ATTACHED } });
  const checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
  const evidence = openEvidence({ ledger, checkpoints, waitMs: 30_000 });
  const ask = (assetIdentity: string) => ({ tenantIdentity: alpha.identity, assetIdentity });
  // An event has the time of its block, which is the end of a second: a verdict before that doesn't count it.
  const makeVerdict = async (asset: string, isCompliant: boolean): Promise<EvidenceFile> => {
    let file: EvidenceFile | undefined;
    await until(async () => {
      const atMs = Date.now();
      file = await untilMade(() => evidence.makeVerdictEvidence({ ...ask(asset), policyIdentity: JUDGED, atMs }));
      return (file.claim as { compliant?: boolean }).compliant === isCompliant;
    });
    return file!;
  };
  const history = { ...ask(SHARED_ASSET), isDisclosed: true, isPublic: false };
  const files: Record<string, EvidenceFile> = {
    'merged history after early records': await untilMade(() => evidence.makeHistoryEvidence(history)),
    'merged verdict after early records': await makeVerdict(SHARED_ASSET, true),
    'verdict after early records': await makeVerdict(OWN_ASSET, false),
  };
  await ledger.writer.append(alpha.identity, measureAt(2, 11));
  files['verdict by one event after early records'] = await makeVerdict(OWN_ASSET, true);
  await evidence.close();
  await checkpoints.close();
  return Object.entries(files).map(([name, file]) => toOriginal(name, file));
};
