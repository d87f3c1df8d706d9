// Creates an application by recording its first version with the hash of its secret. The answer alone contains the
// secret.
import { toApplicationIdentity } from '../../../ledger/identity.ts';
import { toApplicationResource } from '../../../ledger/records/application.ts';
import { FOLLOWS_NONE } from '../../../ledger/records/version.ts';
import { newClientSecret, toSecretHash } from '../../auth/clientSecret.ts';
import type { ServerDeps } from '../../deps.ts';
import type { RunExclusively } from '../../exclusive.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { createQuota } from '../../quota.ts';
import { appendConfirmed } from '../../records/appendVersion.ts';
import { toApplicationOf, toApplicationRecord } from '../../records/newApplication.ts';
import { acceptNow } from '../../records/newEvent.ts';

const ALL = { fields: [] };

export const createApplication = (deps: ServerDeps, runExclusively: RunExclusively): Handler<'createApplication'> => {
  const { view, limits, applicationRoles, newUuid } = deps;
  const quota = createQuota({
    list: (tenantIdentity, page) => view.listApplications(tenantIdentity, ALL, page),
    max: limits.applicationsMax,
    code: 'APPLICATION_QUOTA_REACHED',
  });
  return async ({ caller, body }) => {
    const { tenantIdentity } = caller;
    const acceptance = acceptNow(deps, caller);
    const secret = newClientSecret();
    const identity = toApplicationIdentity(newUuid());
    const stamp = { sha256: toSecretHash(secret), validFrom: acceptance.atTimestamp };
    const application = toApplicationOf({ identity, roles: applicationRoles }, body, stamp);
    const version = { versionUuid: newUuid(), follows: FOLLOWS_NONE, isDeleted: false };
    const record = toApplicationRecord(application, version, acceptance);
    await runExclusively(tenantIdentity, async () => {
      await caller.reauthorize();
      await quota.createWithin(tenantIdentity, application, () => appendConfirmed(deps, tenantIdentity, record));
    });
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: toApplicationResource(application, tenantIdentity, secret),
    };
  };
};
