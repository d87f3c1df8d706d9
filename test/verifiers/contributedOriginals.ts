// Files about an asset to which another tenant contributed, as originals.
import type { Ledger } from '../../host/openLedger.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { MEASURE, shareAsset } from '../support/contributedAsset.ts';
import { createEvidenceMaker } from '../support/evidenceFiles.ts';
import type { ListeningServer } from '../support/testLedger.ts';
import { noting, type Original } from './originals.ts';

/** Lets a tenant contribute to an asset of another one, and makes the originals. */
export const makeContributedOriginals = async (ledger: Ledger, server: ListeningServer): Promise<Original[]> => {
  const maker = createEvidenceMaker(ledger);
  const { beta, asset } = await shareAsset(ledger, server);
  const { body: event } = await beta.post<EventResource>(`${asset.identity}/events`, MEASURE);
  const files = {
    'contribution in its log': await maker.event(event),
    'contribution in the tree': await maker.event(event, await maker.attest(beta.identity)),
  };
  return Object.entries(files).map(([name, file]): Original => ({ name, file, trust: noting(file) }));
};
