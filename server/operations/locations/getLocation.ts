// Reads one location in its newest version, or in the one that was in effect at a time.
import type { LedgerView } from '../../../indexer/ledgerView.ts';
import { normalizeTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

const readAt = (view: LedgerView, tenantIdentity: string, uuid: string, atTime: string | undefined) =>
  atTime === undefined
    ? view.readLocation(tenantIdentity, uuid)
    : view.readLocationAt(tenantIdentity, uuid, Date.parse(normalizeTimestamp(atTime, 'at_time')));

export const getLocation =
  ({ view }: ServerDeps): Handler<'getLocation'> =>
  async ({ caller, params, query }) => {
    const location = await readAt(view, caller.tenantIdentity, params.uuid, query.at_time);
    if (location === undefined) throw new LedgerError('LOCATION_NOT_FOUND');
    return { status: 200, body: location };
  };
