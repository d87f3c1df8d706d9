// Returns the root principals of the caller's tenant.
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toVersionedAnswer } from '../../records/versionTags.ts';

export const getRootPrincipals =
  ({ view }: ServerDeps): Handler<'getRootPrincipals'> =>
  async ({ caller }) => {
    const tenant = await view.readTenant(caller.tenantIdentity);
    if (tenant === undefined) throw new LedgerError('TENANT_NOT_FOUND');
    return toVersionedAnswer({ resource: { root_principals: tenant.root_principals }, version: tenant.identity });
  };
