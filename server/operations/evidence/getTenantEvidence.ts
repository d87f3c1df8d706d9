// Returns evidence of all records of the caller's tenant: a file about their number, or the list itself.
import { LedgerError, refuseField } from '../../../ledger/errors.ts';
import { toTenantIdentity } from '../../../ledger/identity.ts';
import type { ServerDeps } from '../../deps.ts';
import { requireEvidence, toEvidenceAnswer, toEvidenceExtras, toLeavesAnswer } from '../../http/evidenceAnswers.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getTenantEvidence =
  (deps: ServerDeps): Handler<'getTenantEvidence'> =>
  async ({ caller: { tenantIdentity }, params: { uuid }, query, closed }) => {
    const { part, count } = query;
    if (tenantIdentity !== toTenantIdentity(uuid)) throw new LedgerError('TENANT_NOT_FOUND');
    if ((part === undefined) !== (count === undefined))
      throw refuseField('REQUEST_INVALID', 'count', 'goes with part=leaves');
    const evidence = requireEvidence(deps);
    if (count === undefined) {
      const text = await evidence.makeTenantEvidence(tenantIdentity, toEvidenceExtras(query, closed));
      return toEvidenceAnswer(uuid, text);
    }
    const leaves = await evidence.openTenantLeaves(tenantIdentity, count);
    if (leaves === undefined) throw refuseField('REQUEST_INVALID', 'count', 'is more than the tenant has records');
    return toLeavesAnswer(uuid, leaves);
  };
