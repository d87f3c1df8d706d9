// Returns evidence of one event, which proves it offline.
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import { requireEvidence, toEvidenceAnswer, toEvidenceExtras } from '../../http/evidenceAnswers.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readVisibleEvent, refuseEvidence } from '../../records/sharedRecords.ts';

export const getEventEvidence =
  (deps: ServerDeps): Handler<'getEventEvidence'> =>
  async ({ caller, params, query, closed }) => {
    const event = await deps.view.readEvent(caller.tenantIdentity, params.asset_uuid, params.uuid);
    // The chain will never have an event that it refused.
    const isThere = event !== undefined && event.confirmation_status !== 'FAILED';
    if (!isThere) {
      const shared = await readVisibleEvent(deps.view, caller, params.asset_uuid, params.uuid);
      const isOwn = shared?.tenant_identity === caller.tenantIdentity;
      if (isOwn && shared.contribution !== undefined) throw new LedgerError('EVIDENCE_INCOMPLETE');
      throw refuseEvidence(shared !== undefined && !isOwn, 'EVENT_NOT_FOUND');
    }
    const form = { ...toEvidenceExtras(query, closed), isLog: query.proof === 'log' };
    const text = await requireEvidence(deps).makeEventEvidence(event, form);
    return toEvidenceAnswer(params.uuid, text);
  };
