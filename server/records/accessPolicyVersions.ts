// Changes access policies, each change by another version on the ledger, one change of a policy at a time, so that none
// is lost.
import { isDeepStrictEqual } from 'node:util';
import { LedgerError } from '../../ledger/errors.ts';
import { toAccessPolicyIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import { type AccessPolicy, type AccessPolicyContent, toAccessPolicy } from '../../ledger/records/accessPolicy.ts';
import { assertAccessPolicy } from '../../ledger/sharing/accessPolicyRules.ts';
import { restateChanges } from '../../ledger/sharing/accessPolicySyntax.ts';
import type { ServerDeps } from '../deps.ts';
import { createRunExclusively } from '../fairness/exclusive.ts';
import type { Caller } from '../openapi/handlers.ts';
import { appendConfirmed } from './appendVersion.ts';
import { assertSubjects } from './grantedSubjects.ts';
import { toAccessPolicyRecord, toChangedAccessPolicy } from './newAccessPolicy.ts';
import { assertVersionMatches, type Versioned } from './versionTags.ts';

type VersionDeps = Pick<ServerDeps, 'view' | 'writer' | 'clock' | 'isEmailOmitted' | 'newUuid'>;

export interface AccessPolicyVersions {
  /**
   * Replaces the given members and resolves to the policy. Appends nothing if nothing changes. Rejects with
   * ACCESS_POLICY_NOT_FOUND, or as `assertVersionMatches`, `assertAccessPolicy`, `assertSubjects` and `appendConfirmed`
   * do.
   */
  change(
    caller: Caller,
    policyUuid: string,
    changes: Partial<AccessPolicyContent>,
    ifMatch: string | undefined,
  ): Promise<Versioned<AccessPolicy>>;
  /**
   * Deletes the policy. Rejects with ACCESS_POLICY_NOT_FOUND, or as `assertVersionMatches` and `appendConfirmed` do.
   */
  delete(caller: Caller, policyUuid: string, ifMatch: string | undefined): Promise<void>;
}

interface Change {
  readonly sent: Partial<AccessPolicyContent>;
  readonly isDeleted: boolean;
  readonly ifMatch: string | undefined;
}

// What a client sends back as it read it keeps its meaning, also where a new policy couldn't have it.
const findChanges = (policy: AccessPolicy, sent: Partial<AccessPolicyContent>): Partial<AccessPolicyContent> =>
  Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => !isDeepStrictEqual(value, policy[name as keyof AccessPolicy])),
  );

/** The changes of one server. */
export const createAccessPolicyVersions = (deps: VersionDeps): AccessPolicyVersions => {
  const runExclusively = createRunExclusively();
  const change = async (
    caller: Caller,
    policyUuid: string,
    { sent, isDeleted, ifMatch }: Change,
  ): Promise<Versioned<AccessPolicy>> => {
    const { tenantIdentity } = caller;
    await caller.reauthorize();
    const newest = await deps.view.readNewestAccessPolicy(tenantIdentity, policyUuid);
    if (newest === undefined) throw new LedgerError('ACCESS_POLICY_NOT_FOUND');
    assertVersionMatches(ifMatch, newest.identity);
    const policy = toAccessPolicy(newest)!;
    const changes = restateChanges(policy, findChanges(policy, sent));
    assertAccessPolicy(changes);
    await assertSubjects(deps.view, tenantIdentity, sent.access_permissions ?? []);
    if (!isDeleted && Object.keys(changes).length === 0) return { resource: policy, version: newest.identity };
    const changed = isDeleted ? policy : toChangedAccessPolicy(policy, changes);
    const version = { identity: toVersionIdentity(policy.identity, deps.newUuid()), follows: newest.identity };
    await appendConfirmed(deps, caller, (acceptance) => toAccessPolicyRecord(changed, version, isDeleted, acceptance));
    return { resource: changed, version: version.identity };
  };
  const run = (caller: Caller, policyUuid: string, changed: Change): Promise<Versioned<AccessPolicy>> => {
    const name = JSON.stringify([caller.tenantIdentity, toAccessPolicyIdentity(policyUuid)]);
    return runExclusively(name, () => change(caller, policyUuid, changed));
  };
  return {
    change: (caller, policyUuid, sent, ifMatch) => run(caller, policyUuid, { sent, isDeleted: false, ifMatch }),
    delete: async (caller, policyUuid, ifMatch) => {
      await run(caller, policyUuid, { sent: {}, isDeleted: true, ifMatch });
    },
  };
};
