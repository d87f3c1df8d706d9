// An original of a server whose checkpoints are recorded on another ledger, with the record as that ledger proved it.
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { anchorsOf } from '../support/anchoredLedger.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { FixtureTenant } from '../support/fixtureTenant.ts';
import { openAnotherLedger } from '../support/otherLedger.ts';
import { createTemporaryDirectory, openTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';
import type { Original } from './originals.ts';

const fetchRecorded = async (ledger: Ledger, tenant: FixtureTenant, directory: string): Promise<Original> => {
  await using opened = new AsyncDisposableStack();
  const otherLedger = await openTestLedger(directory);
  opened.defer(otherLedger.close);
  const other = await openAnotherLedger({ ledger: otherLedger });
  opened.defer(other.close);
  const { body: event } = await tenant.record(await tenant.createAsset(), 'recorded');
  const settings = { checkpointSeconds: 3_600, ...(await other.writeSettings(directory)) };
  const checkpoints = (await openCheckpoints(ledger, settings, () => undefined))!;
  opened.defer(checkpoints.close);
  await checkpoints.request([]);
  await until(async () => (await checkpoints.recorded.find(event.block_number!)) !== undefined);
  const text = await openEvidence({ ledger, checkpoints, waitMs: 30_000 }).makeEventEvidence(event);
  const file = JSON.parse(text) as EvidenceFile;
  if (anchorsOf(file).length !== 2) throw new Error('the file has no record on another ledger');
  const { chain, contract } = ledger;
  const trust = { chain_id: chain.chainId, contract, logs: [checkpoints.logKey], elsewhere: [other.trust] };
  return { name: 'event with a record on another ledger', file, trust };
};

/** The file of a new event, with the record on another ledger, and the roots of both. */
export const makeRecordedOriginal = async (ledger: Ledger, tenant: FixtureTenant): Promise<Original> => {
  const { path, remove } = await createTemporaryDirectory();
  try {
    return await fetchRecorded(ledger, tenant, path);
  } finally {
    await remove();
  }
};
