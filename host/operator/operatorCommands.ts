// What an operator does with an open ledger: issuing tokens, creating tenants, copying the databases for a backup.
import type { BlockLog } from '../../chain/blockLog/blockLog.ts';
import { createSerialQueue } from '../../chain/writing/serialQueue.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { CALLER_ROLES, type CallerRole } from '../../server/auth/rights.ts';
import { copyDatabases } from '../backup/backupDatabases.ts';
import { appendGone } from '../gone/appendGone.ts';
import { forgetGone, listGone } from '../gone/listGone.ts';
import type { Ledger } from '../openLedger.ts';
import { openTokenAuthority } from '../openTokenAuthority.ts';
import { chooseTenant, type TenantChoice } from '../tenancy/chosenTenant.ts';
import { clearFailedRecords, listFailedRecords } from '../tenancy/failedRecords.ts';
import type { NewTenant } from '../tenancy/firstRecords.ts';
import { listTenants } from '../tenancy/listTenants.ts';
import { addWriterByLine, admitByLine, removeWriter } from '../tenancy/tenantAnswers.ts';
import { requestTenant, requestWriter } from '../tenancy/tenantRequests.ts';
import { acceptSuccession, handOverByLine, requestSuccession } from '../tenancy/tenantSuccession.ts';
import type { ControlCommands } from './controlServer.ts';
import { createTenantForOperator, type DeliveredTenant } from './tenantCreation.ts';

const issueRootToken = async (ledger: Ledger, choice: TenantChoice, role: CallerRole): Promise<{ token: string }> => {
  const { tenantIdentity, name } = await chooseTenant(ledger, choice);
  const tenant = await ledger.view.readTenant(tenantIdentity);
  const root = tenant?.root_principals.find(({ issuer }) => issuer === ledger.issuer);
  if (root === undefined)
    throw new LedgerError('FORBIDDEN', { message: `${name} has no root principal of this issuer` });
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

// The secret's file of a new tenant; undefined without one.
const toSecretFile = ({ secretFile }: Record<string, unknown>): string | undefined =>
  secretFile === undefined ? undefined : String(secretFile);

// Requests of this server, and answers to those of others. `onRequested` is called when one was made.
const createTenancyCommands = (ledger: Ledger, onRequested: () => void): ControlCommands => {
  const announce = <T>(requested: T): T => {
    onRequested();
    return requested;
  };
  return {
    requestTenant: (input) => requestTenant(ledger, toNewTenant(input), toSecretFile(input)).then(announce),
    joinTenant: ({ tenant }) => requestWriter(ledger, String(tenant)).then(announce),
    admitTenant: ({ line }, onWaiting) => admitByLine({ ...ledger, onWaiting }, String(line)),
    addWriter: ({ line }, onWaiting) => addWriterByLine({ ...ledger, onWaiting }, String(line)),
    succeedTenant: ({ tenant }) => requestSuccession(ledger, String(tenant)),
    handOverTenant: ({ line }, onWaiting) => handOverByLine({ ...ledger, onWaiting }, String(line)),
    acceptTenant: ({ tenant }, onWaiting) => acceptSuccession({ ...ledger, onWaiting }, String(tenant)),
    removeWriter: ({ address }, onWaiting) => removeWriter({ ...ledger, onWaiting }, String(address)),
    listTenants: async () => listTenants(ledger),
    listFailed: async () => listFailedRecords(ledger),
    listGone: async () => listGone(ledger),
    appendGone: ({ tenant, identities }) => appendGone(ledger, String(tenant), (identities as string[]).map(String)),
    forgetGone: ({ tenant, identities }) => forgetGone(ledger, String(tenant), (identities as string[]).map(String)),
    clearFailed: ({ tenant }) => clearFailedRecords(ledger, String(tenant)),
  };
};

// One at a time: the name of a new tenant is compared with the names that exist, and each account sends one transaction
// after the other.
const serialise = (commands: ControlCommands): ControlCommands => {
  const runSerially = createSerialQueue();
  const toSerial =
    (run: ControlCommands[string]): ControlCommands[string] =>
    (...given) =>
      runSerially(() => run(...given));
  return Object.fromEntries(Object.entries(commands).map(([name, run]) => [name, toSerial(run)]));
};

/** What some of the commands use, where it is there. */
export interface OperatorParts {
  readonly blockLog?: Pick<BlockLog, 'copyTo'> | undefined;
  /** Called when a tenant was requested that the server may be able to serve. */
  readonly onRequested?: (() => void) | undefined;
}

/** The operator's commands on an open ledger. */
export const createOperatorCommands = (
  ledger: Ledger,
  { blockLog, onRequested = () => undefined }: OperatorParts = {},
): ControlCommands => {
  return {
    token: ({ tenant, isDefault, role }) =>
      issueRootToken(ledger, { tenant: String(tenant), isDefault: isDefault === true }, toRole(role)),
    ...serialise({
      createTenant: (input): Promise<DeliveredTenant> =>
        createTenantForOperator(ledger, toNewTenant(input), { secretFile: toSecretFile(input) }),
      ...createTenancyCommands(ledger, onRequested),
    }),
    backUp: (input) => copyDatabases({ ...ledger, blockLog }, String(input.directory)),
  };
};
