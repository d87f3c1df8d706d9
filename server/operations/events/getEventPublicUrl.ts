// Returns the URL at which an event of a public asset is readable without a token.
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readPublicTenant, toPublicUrl } from '../../records/publicRecords.ts';

export const getEventPublicUrl =
  ({ view, publicUrl, publicHosts }: ServerDeps): Handler<'getEventPublicUrl'> =>
  async ({ caller, params, origin, prefix }) => {
    const { asset_uuid: assetUuid, uuid } = params;
    const tenantIdentity = await readPublicTenant(view, assetUuid, 'EVENT_NOT_FOUND');
    const isOwn = tenantIdentity === caller.tenantIdentity;
    const event = isOwn ? await view.readEvent(tenantIdentity, assetUuid, uuid) : undefined;
    if (event === undefined) throw new LedgerError('EVENT_NOT_FOUND');
    const publicurl = toPublicUrl({ publicUrl, publicHosts, origin, prefix }, `${assetUuid}/events/${uuid}`);
    return { status: 200, body: { publicurl } };
  };
