// Creating an application is recording its first version, with the hash of a secret that is shown this once.
import { toApplicationResource } from '../../ledger/application.ts';
import { toApplicationIdentity } from '../../ledger/identity.ts';
import { toTimestamp } from '../../ledger/timestamp.ts';
import { appendForGood } from '../appendForGood.ts';
import { newClientSecret, toSecretHash } from '../clientSecret.ts';
import type { ServerDeps } from '../deps.ts';
import type { Handler } from '../handlers.ts';
import { toApplicationOf, toApplicationRecord } from '../newApplication.ts';
import { createQuota } from '../quota.ts';

const ALL = { fields: [] };

export const createApplication = ({ view, writer, limits, now, newUuid }: ServerDeps): Handler<'createApplication'> => {
  const quota = createQuota({
    list: (tenantIdentity, page) => view.listApplications(tenantIdentity, ALL, page),
    max: limits.applicationsMax,
    code: 'APPLICATION_QUOTA_REACHED',
  });
  return async ({ caller: { tenantIdentity, principal }, body }) => {
    const atTimestamp = toTimestamp(now());
    const secret = newClientSecret();
    const identity = toApplicationIdentity(newUuid());
    const application = toApplicationOf(identity, body, { sha256: toSecretHash(secret), validFrom: atTimestamp });
    const version = { versionUuid: newUuid(), isDeleted: false };
    const record = toApplicationRecord(application, version, { atTimestamp, principal });
    await quota.createWithin(tenantIdentity, identity, () => appendForGood(writer, tenantIdentity, record));
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: toApplicationResource(application, tenantIdentity, secret),
    };
  };
};
