// Returns evidence that the caller's tenant has nothing of an identity.
import { refuseField } from '../../../ledger/errors.ts';
import { isLedgerIdentity, toUuid } from '../../../ledger/identity.ts';
import type { ServerDeps } from '../../deps.ts';
import { requireEvidence, toEvidenceAnswer, toEvidenceExtras } from '../../http/evidenceAnswers.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getAbsenceEvidence =
  (deps: ServerDeps): Handler<'getAbsenceEvidence'> =>
  async ({ caller: { tenantIdentity }, query, closed }) => {
    const identity = query.identity.toLowerCase();
    if (!isLedgerIdentity(identity)) throw refuseField('REQUEST_INVALID', 'identity', 'is no identity of a record');
    const text = await requireEvidence(deps).makeAbsenceEvidence(
      tenantIdentity,
      identity,
      toEvidenceExtras(query, closed),
    );
    return toEvidenceAnswer(`absence-${toUuid(identity)}`, text);
  };
