// Returns what is public about a tenant: that it exists.
import { LedgerError } from '../../../ledger/errors.ts';
import { toTenantIdentity } from '../../../ledger/identity.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getTenantPublicInfo =
  ({ view }: ServerDeps): Handler<'getTenantPublicInfo'> =>
  async ({ params }) => {
    const identity = toTenantIdentity(params.uuid);
    if ((await view.readTenant(identity)) === undefined) throw new LedgerError('TENANT_NOT_FOUND');
    return { status: 200, body: { identity, verified_domain: '' } };
  };
