// Reads one event of one asset.
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readVisibleEvent } from '../../records/sharedRecords.ts';

export const getEvent =
  ({ view }: ServerDeps): Handler<'getEvent'> =>
  async ({ caller, params }) => {
    const event = await readVisibleEvent(view, caller, params.asset_uuid, params.uuid);
    if (event === undefined) throw new LedgerError('EVENT_NOT_FOUND');
    return { status: 200, body: event };
  };
