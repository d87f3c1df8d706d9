// Reads one event of a public asset, without a token and without its principals.
import { LedgerError } from '../../../ledger/errors.ts';
import { withoutPrincipals } from '../../../ledger/records/event.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readPublicTenant } from '../../records/publicRecords.ts';

export const getPublicEvent =
  ({ view }: ServerDeps): Handler<'getPublicEvent'> =>
  async ({ params }) => {
    const { asset_uuid: assetUuid, uuid } = params;
    const tenantIdentity = await readPublicTenant(view, assetUuid, 'EVENT_NOT_FOUND');
    const event = await view.readEvent(tenantIdentity, assetUuid, uuid);
    if (event === undefined) throw new LedgerError('EVENT_NOT_FOUND');
    return { status: 200, body: withoutPrincipals(event) };
  };
