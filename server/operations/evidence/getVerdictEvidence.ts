// Returns evidence of the verdict of one policy on an asset, as the asset was at a time.
import { LedgerError } from '../../../ledger/errors.ts';
import { toAssetIdentity, toPolicyIdentity, toUuid } from '../../../ledger/identity.ts';
import type { ServerDeps } from '../../deps.ts';
import { requireEvidence, toEvidenceAnswer, toEvidenceExtras } from '../../http/evidenceAnswers.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toEvaluatedMs } from '../../records/evaluation.ts';

export const getVerdictEvidence =
  (deps: ServerDeps): Handler<'getVerdictEvidence'> =>
  async ({ caller: { tenantIdentity }, params: { uuid }, query, closed }) => {
    const atMs = toEvaluatedMs(query.compliant_at, deps.clock.evaluate());
    const policyUuid = toUuid(query.policy).toLowerCase();
    const asset = await deps.view.readAssetAt(tenantIdentity, uuid, atMs);
    if (asset === undefined) throw new LedgerError('ASSET_NOT_FOUND');
    const policy = await deps.view.readPolicy(tenantIdentity, policyUuid);
    if (policy === undefined) throw new LedgerError('POLICY_NOT_FOUND');
    const asked = {
      tenantIdentity,
      policyIdentity: toPolicyIdentity(policyUuid),
      assetIdentity: toAssetIdentity(uuid),
      atMs,
    };
    const text = await requireEvidence(deps).makeVerdictEvidence(asked, toEvidenceExtras(query, closed));
    return toEvidenceAnswer(`${uuid}-verdict`, text);
  };
