// Reads one event of one asset.
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readVisibleEvent } from '../../records/sharedRecords.ts';

export const getEvent =
  ({ view }: ServerDeps): Handler<'getEvent'> =>
  async ({ caller, params, query: { tenant_identity: ownerIdentity } }) => {
    const name = { assetUuid: params.asset_uuid, ownerIdentity };
    const event = await readVisibleEvent(view, caller, name, params.uuid);
    if (event === undefined) throw new LedgerError('EVENT_NOT_FOUND');
    return { status: 200, body: event };
  };
