// What an operator does with an open ledger: issuing tokens, creating tenants, copying the databases for a backup.
import type { BlockLog } from '../../chain/blockLog/blockLog.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { CALLER_ROLES, type CallerRole } from '../../server/auth/rights.ts';
import { copyDatabases } from '../backup/backupDatabases.ts';
import type { Ledger } from '../openLedger.ts';
import { openTokenAuthority } from '../openTokenAuthority.ts';
import type { NewTenant } from '../tenants.ts';
import type { ControlCommands } from './controlServer.ts';
import { createTenantForOperator, type DeliveredTenant } from './tenantCreation.ts';

const issueRootToken = async (ledger: Ledger, tenantName: string, role: CallerRole): Promise<{ token: string }> => {
  const tenantIdentity = await ledger.view.readTenantIdentity(tenantName);
  const tenant = tenantIdentity && (await ledger.view.readTenant(tenantIdentity));
  if (!tenantIdentity || !tenant) {
    throw new LedgerError('TENANT_NOT_FOUND', { message: `no tenant is named ${JSON.stringify(tenantName)}` });
  }
  const root = tenant.root_principals.find(({ issuer }) => issuer === ledger.issuer);
  if (root === undefined)
    throw new LedgerError('FORBIDDEN', { message: `${tenantName} has no root principal of this issuer` });
  const authority = await openTokenAuthority(ledger);
  return authority.issue({
    tenantIdentity,
    subject: root.subject,
    name: root.display_name,
    roles: [role],
    clientId: undefined,
    secretId: undefined,
    customClaims: {},
  });
};

const toRole = (value: unknown): CallerRole => {
  const role = CALLER_ROLES.find((known) => known === value);
  if (role !== undefined) return role;
  throw new LedgerError('REQUEST_INVALID', { message: `a role is one of ${CALLER_ROLES.join(', ')}` });
};

const toNewTenant = ({ name, rootIssuer, rootSubject }: Record<string, unknown>): NewTenant => {
  if (rootIssuer === undefined && rootSubject === undefined) return { name: String(name) };
  return { name: String(name), root: { issuer: String(rootIssuer ?? ''), subject: String(rootSubject ?? '') } };
};

/** The operator's commands on an open ledger. */
export const createOperatorCommands = (ledger: Ledger, blockLog?: Pick<BlockLog, 'copyTo'>): ControlCommands => {
  // One tenant at a time: the name of each is compared with the names that exist.
  let creating: Promise<unknown> = Promise.resolve();
  return {
    token: (input) => issueRootToken(ledger, String(input.tenant), toRole(input.role)),
    createTenant: (input): Promise<DeliveredTenant> => {
      const secretFile = input.secretFile === undefined ? undefined : String(input.secretFile);
      const create = () => createTenantForOperator(ledger, toNewTenant(input), { secretFile });
      const created = creating.then(create, create);
      creating = created;
      return created;
    },
    backUp: (input) => copyDatabases({ ...ledger, blockLog }, String(input.directory)),
  };
};
