// Returns the caller's own tenant, without its root principals, which have their own operation.
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

const NO_SSO = { policy_id: '', config_url: '', issuer: '', client_id: '', client_secret: '' };

export const getOwnTenant =
  ({ view }: ServerDeps): Handler<'getOwnTenant'> =>
  async ({ caller: { tenantIdentity } }) => {
    const tenant = await view.readTenant(tenantIdentity);
    if (tenant === undefined) throw new LedgerError('TENANT_NOT_FOUND');
    return {
      status: 200,
      body: {
        identity: tenantIdentity,
        display_name: tenant.display_name,
        verified_domain: '',
        enterprise_sso_enabled: false,
        enterprise_sso_config: NO_SSO,
      },
    };
  };
