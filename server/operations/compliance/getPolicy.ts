// Reads one compliance policy.
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getPolicy =
  ({ view }: ServerDeps): Handler<'getPolicy'> =>
  async ({ caller, params }) => {
    const policy = await view.readPolicy(caller.tenantIdentity, params.uuid);
    if (policy === undefined) throw new LedgerError('POLICY_NOT_FOUND');
    return { status: 200, body: policy };
  };
