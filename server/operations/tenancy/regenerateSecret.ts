// Replaces the secret of an application by recording another version with the hash of the new one. The answer alone
// contains the secret, also the answer to the same request with the same key.
import { toApplicationIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import { toApplicationResource } from '../../../ledger/records/application.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import type { ApplicationVersions } from '../../records/applicationVersions.ts';
import { toKeyedUuid } from '../../records/idempotency.ts';
import { toSecret } from '../../records/keyedSecrets.ts';
import { toVersionedAnswer } from '../../records/versionTags.ts';

export const regenerateSecret =
  (deps: ServerDeps, versions: ApplicationVersions): Handler<'regenerateSecret'> =>
  async ({ caller, params: { uuid }, headers }) => {
    const key = headers['Idempotency-Key'];
    const path = `iam/v1/applications/${uuid}:regenerate-secret`;
    const versionUuid = key === undefined ? deps.newUuid() : toKeyedUuid(caller, path, key);
    const secret = toSecret(deps, toVersionIdentity(toApplicationIdentity(uuid), versionUuid), key);
    const replacement = { secret, versionUuid, ifMatch: headers['If-Match'] };
    const { resource, version } = await versions.replaceSecret(caller, uuid, replacement);
    const answer = toVersionedAnswer({
      resource: toApplicationResource(resource, caller.tenantIdentity, secret),
      version,
    });
    return { ...answer, headers: { 'cache-control': 'no-store', ...answer.headers } };
  };
