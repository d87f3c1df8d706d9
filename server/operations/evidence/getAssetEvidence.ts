// Returns evidence of the complete history of an asset, or of a range of it.
import { refuseField } from '../../../ledger/errors.ts';
import { toAssetIdentity } from '../../../ledger/identity.ts';
import type { ServerDeps } from '../../deps.ts';
import { requireEvidence, toEvidenceAnswer, toEvidenceExtras } from '../../http/evidenceAnswers.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readVisibleAsset, refuseEvidence, restrictAmbiguous } from '../../records/sharedRecords.ts';

const assertRange = ({ from, to }: { from?: number; to?: number }): void => {
  if (from === undefined) return;
  if (to === undefined) throw refuseField('REQUEST_INVALID', 'to', 'is missing');
  if (to < from) throw refuseField('REQUEST_INVALID', 'to', 'is less than from');
};

export const getAssetEvidence =
  (deps: ServerDeps): Handler<'getAssetEvidence'> =>
  async ({ caller, params: { uuid }, query, closed }) => {
    const { tenantIdentity } = caller;
    assertRange(query);
    const asset = await deps.view.readAsset(tenantIdentity, uuid);
    if (asset === undefined) {
      const shared = await readVisibleAsset(deps.view, caller, { assetUuid: uuid }).catch(restrictAmbiguous);
      throw refuseEvidence(shared !== undefined, 'ASSET_NOT_FOUND');
    }
    const { from, to, records } = query;
    const asked = {
      tenantIdentity,
      assetIdentity: toAssetIdentity(uuid),
      from,
      to,
      isDisclosed: records === true,
      isPublic: false,
    };
    const text = await requireEvidence(deps).makeHistoryEvidence(asked, toEvidenceExtras(query, closed));
    return toEvidenceAnswer(uuid, text);
  };
