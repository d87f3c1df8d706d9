// Returns the URL at which an event of a public asset that the caller sees is readable without a token.
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readPublicTenant, toPublicUrl } from '../../records/publicRecords.ts';
import { readVisibleEvent } from '../../records/sharedRecords.ts';

export const getEventPublicUrl =
  ({ view, publicUrl, publicHosts }: ServerDeps): Handler<'getEventPublicUrl'> =>
  async ({ caller, params, query: { tenant_identity: ownerIdentity }, origin, prefix }) => {
    const { asset_uuid: assetUuid, uuid } = params;
    const publicTenant = await readPublicTenant(view, assetUuid, 'EVENT_NOT_FOUND');
    const event = await readVisibleEvent(view, caller, { assetUuid, ownerIdentity }, uuid);
    const owner = event?.contribution?.owner ?? event?.tenant_identity;
    if (owner !== publicTenant) throw new LedgerError('EVENT_NOT_FOUND');
    const publicurl = toPublicUrl({ publicUrl, publicHosts, origin, prefix }, `${assetUuid}/events/${uuid}`);
    return { status: 200, body: { publicurl } };
  };
