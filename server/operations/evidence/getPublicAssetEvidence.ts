// Returns evidence of the history of a public asset, without a token: digests alone, because records have principals.
import { toAssetIdentity } from '../../../ledger/identity.ts';
import type { ServerDeps } from '../../deps.ts';
import { toClientSite } from '../../http/clientNetworks.ts';
import { requireEvidence, toEvidenceAnswer, toEvidenceExtras } from '../../http/evidenceAnswers.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readPublicTenant } from '../../records/publicRecords.ts';

export const getPublicAssetEvidence =
  (deps: ServerDeps): Handler<'getPublicAssetEvidence'> =>
  async ({ params: { uuid }, query, address, closed }) => {
    const tenantIdentity = await readPublicTenant(deps.view, uuid, 'ASSET_NOT_FOUND');
    const asked = {
      tenantIdentity,
      assetIdentity: toAssetIdentity(uuid),
      isDisclosed: false,
      isPublic: true,
      network: toClientSite(address),
    };
    const text = await requireEvidence(deps).makeHistoryEvidence(asked, toEvidenceExtras(query, closed));
    return toEvidenceAnswer(uuid, text);
  };
