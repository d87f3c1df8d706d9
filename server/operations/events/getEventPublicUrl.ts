// Returns the URL at which an event of a public asset that the caller sees is readable without a token.
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toNotPublic, toPublicUrl } from '../../records/publicRecords.ts';
import { readVisibleEvent } from '../../records/sharedRecords.ts';

export const getEventPublicUrl =
  ({ view, ...settings }: ServerDeps): Handler<'getEventPublicUrl'> =>
  async ({ caller, params, query: { tenant_identity: ownerIdentity }, ...at }) => {
    const { asset_uuid: assetUuid, uuid } = params;
    const publicTenant = await view.readPublicTenant(assetUuid);
    const event = await readVisibleEvent(view, caller, { assetUuid, ownerIdentity }, uuid);
    const owner = event?.contribution?.owner ?? event?.tenant_identity;
    if (owner === undefined || owner !== publicTenant) throw toNotPublic('EVENT_NOT_FOUND', event);
    const publicurl = toPublicUrl(settings, at, `${assetUuid}/events/${uuid}`);
    return { status: 200, body: { publicurl } };
  };
