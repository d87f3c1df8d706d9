// Creates an application by recording its first version with the hash of its secret. The answer alone contains the
// secret.
import { toApplicationIdentity } from '../../../ledger/identity.ts';
import { toApplication, toApplicationResource } from '../../../ledger/records/application.ts';
import { FOLLOWS_NONE } from '../../../ledger/records/version.ts';
import { newClientSecret, toSecretHash } from '../../auth/clientSecret.ts';
import type { ServerDeps } from '../../deps.ts';
import type { RunExclusively } from '../../fairness/exclusive.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { createQuota } from '../../quota.ts';
import type { Acceptance } from '../../records/acceptance.ts';
import { appendConfirmed } from '../../records/appendVersion.ts';
import {
  toApplicationOf,
  toApplicationRecord,
  type UnkeyedApplication,
  withSecret,
} from '../../records/newApplication.ts';
import { toTagHeader } from '../../records/versionTags.ts';

const ALL = { fields: [] };

export const createApplication = (deps: ServerDeps, runExclusively: RunExclusively): Handler<'createApplication'> => {
  const { view, limits, applicationRoles, newUuid } = deps;
  const quota = createQuota<Pick<UnkeyedApplication, 'identity'>>({
    list: (tenantIdentity, page) => view.listApplications(tenantIdentity, ALL, page),
    max: limits.applicationsMax,
    code: 'APPLICATION_QUOTA_REACHED',
  });
  return async ({ caller, body }) => {
    const { tenantIdentity } = caller;
    const secret = newClientSecret();
    const identity = toApplicationIdentity(newUuid());
    const unkeyed = toApplicationOf({ identity, roles: applicationRoles }, body);
    const version = { versionUuid: newUuid(), follows: FOLLOWS_NONE, isDeleted: false };
    const toRecord = (acceptance: Acceptance) => {
      const stamp = { sha256: toSecretHash(secret), validFrom: acceptance.atTimestamp };
      return toApplicationRecord(withSecret(unkeyed, stamp), version, acceptance);
    };
    const record = await runExclusively(tenantIdentity, async () => {
      await caller.reauthorize();
      return quota.createWithin(tenantIdentity, unkeyed, () => appendConfirmed(deps, caller, toRecord));
    });
    const resource = toApplicationResource(toApplication(record)!, tenantIdentity, secret);
    const tag = toTagHeader({ resource, version: record.identity });
    return { status: 200, headers: { 'cache-control': 'no-store', ...tag }, body: resource };
  };
};
