// Changes applications, each change by another version on the ledger. All changes of rights in a tenant run one after
// the other (`runExclusively`), and each checks the caller's right again when it begins. So no change restores a
// deleted application or a replaced secret, and no caller can undo the revocation of its own right.
import { isDeepStrictEqual } from 'node:util';
import type { OwnedApplication } from '../../indexer/ledgerView.ts';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { toUuid } from '../../ledger/identity.ts';
import type { Application } from '../../ledger/records/application.ts';
import { isRootPrincipal } from '../../ledger/tenancy/rootPrincipals.ts';
import type { ServerDeps } from '../deps.ts';
import type { RunExclusively } from '../exclusive.ts';
import type { Caller } from '../openapi/handlers.ts';
import { appendConfirmed } from './appendVersion.ts';
import { type NewVersion, toApplicationRecord } from './newApplication.ts';
import { type Acceptance, acceptNow } from './newEvent.ts';

type VersionDeps = Pick<ServerDeps, 'view' | 'writer' | 'tokens' | 'clock' | 'isEmailOmitted' | 'newUuid'>;

export interface ApplicationVersions {
  /**
   * Applies `change` to the current application and appends the result, unless nothing changed. Rejects with
   * APPLICATION_NOT_FOUND, or with FORBIDDEN when the application is a root principal and the caller is not.
   */
  change(
    caller: Caller,
    clientId: string,
    change: (application: Application, atTimestamp: string) => Application,
  ): Promise<Application>;
  /**
   * Deletes the application. Rejects with APPLICATION_NOT_FOUND, or with APPLICATION_INVALID when it is a root
   * principal.
   */
  delete(caller: Caller, clientId: string): Promise<void>;
}

/**
 * Reads an application of the caller's tenant, and the identity of its newest version. Rejects with
 * APPLICATION_NOT_FOUND.
 */
export const readOwnApplication = async (
  { view }: Pick<ServerDeps, 'view'>,
  { tenantIdentity }: Caller,
  clientId: string,
): Promise<Pick<OwnedApplication, 'application' | 'version'>> => {
  const found = await view.readApplication(clientId);
  if (found?.tenantIdentity !== tenantIdentity) throw new LedgerError('APPLICATION_NOT_FOUND');
  return found;
};

/** The tenant's root principals, and whether an application is one of them. */
const readRootStatus = async ({ view, tokens }: VersionDeps, tenantIdentity: string, { identity }: Application) => {
  const list = (await view.readTenant(tenantIdentity))?.root_principals ?? [];
  return { list, isRoot: isRootPrincipal(list, { issuer: tokens.issuer, subject: toUuid(identity) }) };
};

// A caller that sets the secret of a root principal could act as that principal, so an administrator must not do it.
const assertMayChange = async (deps: VersionDeps, caller: Caller, application: Application): Promise<void> => {
  const { list, isRoot } = await readRootStatus(deps, caller.tenantIdentity, application);
  if (isRoot && !isRootPrincipal(list, caller.principal))
    throw refuseField('FORBIDDEN', 'authorization', 'lacks the right "root", and the application is a root principal');
};

// A tenant never loses its last root principal: an application must first be removed from the list, which only root
// principals change.
const assertMayDelete = async (deps: VersionDeps, caller: Caller, application: Application): Promise<void> => {
  const { isRoot } = await readRootStatus(deps, caller.tenantIdentity, application);
  if (isRoot)
    throw refuseField('APPLICATION_INVALID', 'uuid', 'is a root principal: remove it from the root principals first');
};

/** The changes of one server. All of them must share `runExclusively`. */
export const createApplicationVersions = (deps: VersionDeps, runExclusively: RunExclusively): ApplicationVersions => {
  const { newUuid } = deps;
  const append = async (
    caller: Caller,
    application: Application,
    version: Omit<NewVersion, 'versionUuid'>,
    acceptance: Acceptance,
  ): Promise<void> => {
    const record = toApplicationRecord(application, { versionUuid: newUuid(), ...version }, acceptance);
    await appendConfirmed(deps, caller.tenantIdentity, record);
  };
  return {
    change: (caller, clientId, change) =>
      runExclusively(caller.tenantIdentity, async () => {
        await caller.reauthorize();
        const { application, version: follows } = await readOwnApplication(deps, caller, clientId);
        await assertMayChange(deps, caller, application);
        const acceptance = acceptNow(deps, caller);
        const changed = change(application, acceptance.atTimestamp);
        if (!isDeepStrictEqual(changed, application))
          await append(caller, changed, { follows, isDeleted: false }, acceptance);
        return changed;
      }),
    delete: (caller, clientId) =>
      runExclusively(caller.tenantIdentity, async () => {
        await caller.reauthorize();
        const { application, version: follows } = await readOwnApplication(deps, caller, clientId);
        await assertMayDelete(deps, caller, application);
        await append(caller, application, { follows, isDeleted: true }, acceptNow(deps, caller));
      }),
  };
};
