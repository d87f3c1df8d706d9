// Changes applications, each change by another version on the ledger. All changes of rights in a tenant run one after
// the other (`runExclusively`), and each checks the caller's right again when it begins. So no change restores a
// deleted application or a replaced secret, and no caller can undo the revocation of its own right.
import { isDeepStrictEqual } from 'node:util';
import type { OwnedApplication } from '../../indexer/ledgerView.ts';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { toUuid } from '../../ledger/identity.ts';
import { type Application, type ApplicationRecord, toApplication } from '../../ledger/records/application.ts';
import { isRootPrincipal } from '../../ledger/tenancy/rootPrincipals.ts';
import { toSecretHash } from '../auth/clientSecret.ts';
import type { ServerDeps } from '../deps.ts';
import type { RunExclusively } from '../fairness/exclusive.ts';
import type { Caller } from '../openapi/handlers.ts';
import type { Acceptance } from './acceptance.ts';
import { appendConfirmed, assertEffective } from './appendVersion.ts';
import { isDisplaced } from './idempotency.ts';
import { assertShownAgain } from './keyedSecrets.ts';
import { type NewVersion, toApplicationRecord, withSecret } from './newApplication.ts';
import { assertVersionMatches, type Versioned } from './versionTags.ts';

type VersionDeps = Pick<ServerDeps, 'view' | 'writer' | 'tokens' | 'clock' | 'isEmailOmitted' | 'newUuid' | 'now'>;

/** A new secret of an application, and the version that has its hash. */
export interface Replacement {
  readonly secret: string;
  readonly versionUuid: string;
  readonly ifMatch: string | undefined;
}

export interface ApplicationVersions {
  /**
   * Applies `change` to the current application and appends the result, unless nothing changed. Rejects with
   * APPLICATION_NOT_FOUND, with FORBIDDEN when the application is a root principal and the caller is not, or as
   * `assertVersionMatches` does.
   */
  change(
    caller: Caller,
    clientId: string,
    change: (application: Application) => Application,
    ifMatch: string | undefined,
  ): Promise<Versioned<Application>>;
  /**
   * Replaces the secret. Where the ledger has the version already, the request is repeated, and resolves with what the
   * first one recorded. Rejects as `change` does, and a repeated request as `assertShownAgain` does.
   */
  replaceSecret(caller: Caller, clientId: string, replacement: Replacement): Promise<Versioned<Application>>;
  /**
   * Deletes the application. Rejects with APPLICATION_NOT_FOUND, with APPLICATION_INVALID when it is a root principal,
   * or as `assertVersionMatches` does.
   */
  delete(caller: Caller, clientId: string, ifMatch: string | undefined): Promise<void>;
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
  const append = (
    caller: Caller,
    version: Omit<NewVersion, 'versionUuid'> & Partial<NewVersion>,
    toContent: (acceptance: Acceptance) => Application,
  ): Promise<ApplicationRecord> => {
    const named = { versionUuid: deps.newUuid(), ...version };
    return appendConfirmed(deps, caller, (acceptance) => toApplicationRecord(toContent(acceptance), named, acceptance));
  };
  const readChangeable = async (caller: Caller, clientId: string, ifMatch: string | undefined) => {
    await caller.reauthorize();
    const found = await readOwnApplication(deps, caller, clientId);
    await assertMayChange(deps, caller, found.application);
    assertVersionMatches(ifMatch, found.version);
    return found;
  };
  const appendSecret = async (caller: Caller, clientId: string, { secret, versionUuid, ifMatch }: Replacement) => {
    const { application, version: follows } = await readChangeable(caller, clientId, ifMatch);
    const sha256 = toSecretHash(secret);
    const toContent = ({ atTimestamp }: Acceptance) => withSecret(application, { sha256, validFrom: atTimestamp });
    const record = await append(caller, { follows, isDeleted: false, versionUuid }, toContent);
    return { resource: toApplication(record)!, version: record.identity };
  };
  // Undefined where the ledger has no such version.
  const repeatSecret = async (caller: Caller, clientId: string, { secret, versionUuid }: Replacement) => {
    const first = await deps.view.readApplicationVersion(caller.tenantIdentity, clientId, versionUuid);
    if (first === undefined) return undefined;
    await readChangeable(caller, clientId, undefined);
    await assertEffective(deps, caller.tenantIdentity, first);
    await assertShownAgain(deps, first, secret);
    return { resource: toApplication(first)!, version: first.identity };
  };
  return {
    change: (caller, clientId, change, ifMatch) =>
      runExclusively(caller.tenantIdentity, async () => {
        const { application, version: follows } = await readChangeable(caller, clientId, ifMatch);
        const changed = change(application);
        if (isDeepStrictEqual(changed, application)) return { resource: application, version: follows };
        const { identity } = await append(caller, { follows, isDeleted: false }, () => changed);
        return { resource: changed, version: identity };
      }),
    replaceSecret: (caller, clientId, replacement) =>
      runExclusively(caller.tenantIdentity, async () => {
        const repeated = await repeatSecret(caller, clientId, replacement);
        if (repeated !== undefined) return repeated;
        try {
          return await appendSecret(caller, clientId, replacement);
        } catch (error) {
          // Another server of the tenant got the same request.
          const recorded = isDisplaced(error) ? await repeatSecret(caller, clientId, replacement) : undefined;
          if (recorded === undefined) throw error;
          return recorded;
        }
      }),
    delete: (caller, clientId, ifMatch) =>
      runExclusively(caller.tenantIdentity, async () => {
        await caller.reauthorize();
        const { application, version: follows } = await readOwnApplication(deps, caller, clientId);
        await assertMayDelete(deps, caller, application);
        assertVersionMatches(ifMatch, follows);
        await append(caller, { follows, isDeleted: true }, () => application);
      }),
  };
};
