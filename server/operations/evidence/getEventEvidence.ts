// Returns evidence of one event, which proves it offline: of one of the caller's tenant, of one that another tenant
// contributed to its asset, or of one that it contributed itself.
import type { EventResource } from '../../../ledger/records/event.ts';
import type { ServerDeps } from '../../deps.ts';
import { requireEvidence, toEvidenceAnswer, toEvidenceExtras } from '../../http/evidenceAnswers.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { readVisibleEvent, refuseEvidence, restrictAmbiguous } from '../../records/sharedRecords.ts';

// The chain will never have an event that it refused.
const isProvable = (event: EventResource | undefined): event is EventResource =>
  event !== undefined && event.confirmation_status !== 'FAILED';

const readProvable = async (
  { view }: ServerDeps,
  caller: Caller,
  { asset_uuid, uuid }: { readonly asset_uuid: string; readonly uuid: string },
): Promise<EventResource> => {
  const own = await view.readEvent(caller.tenantIdentity, asset_uuid, uuid);
  if (isProvable(own)) return own;
  const visible = await readVisibleEvent(view, caller, { assetUuid: asset_uuid }, uuid).catch(restrictAmbiguous);
  const isOwn = visible?.tenant_identity === caller.tenantIdentity;
  if (isOwn && isProvable(visible)) return visible;
  throw refuseEvidence(visible !== undefined && !isOwn, 'EVENT_NOT_FOUND');
};

export const getEventEvidence =
  (deps: ServerDeps): Handler<'getEventEvidence'> =>
  async ({ caller, params, query, closed }) => {
    const event = await readProvable(deps, caller, params);
    const { tenantIdentity } = caller;
    const form = { ...toEvidenceExtras(query, closed), tenantIdentity, isLog: query.proof === 'log' };
    const text = await requireEvidence(deps).makeEventEvidence(event, form);
    return toEvidenceAnswer(params.uuid, text);
  };
