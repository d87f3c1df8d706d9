// Returns evidence of the history of a public asset, without a token: digests alone, because records have principals.
import { toAssetIdentity } from '../../../ledger/identity.ts';
import type { ServerDeps } from '../../deps.ts';
import { requireEvidence, toEvidenceAnswer } from '../../http/evidenceAnswers.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readPublicTenant } from '../../records/publicRecords.ts';

export const getPublicAssetEvidence =
  (deps: ServerDeps): Handler<'getPublicAssetEvidence'> =>
  async ({ params: { uuid } }) => {
    const tenantIdentity = await readPublicTenant(deps.view, uuid, 'ASSET_NOT_FOUND');
    const text = await requireEvidence(deps).makeHistoryEvidence({
      tenantIdentity,
      assetIdentity: toAssetIdentity(uuid),
      isDisclosed: false,
      isPublic: true,
    });
    return toEvidenceAnswer(uuid, text);
  };
