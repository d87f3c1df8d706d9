// Creating an application is recording its first version, with the hash of a secret that is shown this once.
import { toApplicationResource } from '../../ledger/application.ts';
import { toApplicationIdentity } from '../../ledger/identity.ts';
import { appendForGood } from '../appendForGood.ts';
import { newClientSecret, toSecretHash } from '../clientSecret.ts';
import type { ServerDeps } from '../deps.ts';
import type { RunExclusively } from '../exclusive.ts';
import type { Handler } from '../handlers.ts';
import { toApplicationOf, toApplicationRecord } from '../newApplication.ts';
import { acceptNow } from '../newEvent.ts';
import { createQuota } from '../quota.ts';

const ALL = { fields: [] };

export const createApplication = (
  { view, writer, limits, applicationRoles, clock, newUuid }: ServerDeps,
  runExclusively: RunExclusively,
): Handler<'createApplication'> => {
  const quota = createQuota({
    list: (tenantIdentity, page) => view.listApplications(tenantIdentity, ALL, page),
    max: limits.applicationsMax,
    code: 'APPLICATION_QUOTA_REACHED',
  });
  return async ({ caller, body }) => {
    const { tenantIdentity } = caller;
    const acceptance = acceptNow({ clock }, caller);
    const secret = newClientSecret();
    const identity = toApplicationIdentity(newUuid());
    const stamp = { sha256: toSecretHash(secret), validFrom: acceptance.atTimestamp };
    const application = toApplicationOf({ identity, roles: applicationRoles }, body, stamp);
    const version = { versionUuid: newUuid(), isDeleted: false };
    const record = toApplicationRecord(application, version, acceptance);
    await runExclusively(tenantIdentity, async () => {
      await caller.assertStanding();
      await quota.createWithin(tenantIdentity, application, () => appendForGood(writer, tenantIdentity, record));
    });
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: toApplicationResource(application, tenantIdentity, secret),
    };
  };
};
