// Issues a token of a tenant's root principal, in the running server or on its data directory.
import { CALLER_ROLES } from '../../server/auth/rights.ts';
import { readConfig } from '../settings/config.ts';
import { toTenantChoice } from '../tenancy/chosenTenant.ts';
import { runOperatorCommand } from './runOperatorCommand.ts';

/** The roles that a token of a root principal may have. */
export const TOKEN_ROLES: readonly string[] = CALLER_ROLES;

/** A bearer token of a tenant's root principal. @throws Error when the tenant or the role doesn't exist. */
export const issueTokenForOperator = async ({ tenant, role }: { tenant?: string; role: string }): Promise<string> => {
  const input = { ...toTenantChoice(tenant), role };
  return (await runOperatorCommand<{ token: string }>(readConfig().dataDir, 'token', input)).token;
};
