// Reads one location in its newest version.
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getLocation =
  ({ view }: ServerDeps): Handler<'getLocation'> =>
  async ({ caller, params }) => {
    const location = await view.readLocation(caller.tenantIdentity, params.uuid);
    if (location === undefined) throw new LedgerError('LOCATION_NOT_FOUND');
    return { status: 200, body: location };
  };
