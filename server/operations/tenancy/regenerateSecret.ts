// Replaces the secret of an application by recording another version with the hash of the new one. The answer alone
// contains the secret.
import { toApplicationResource } from '../../../ledger/records/application.ts';
import { newClientSecret, toSecretHash } from '../../auth/clientSecret.ts';
import type { Handler } from '../../openapi/handlers.ts';
import type { ApplicationVersions } from '../../records/applicationVersions.ts';
import { toTagHeader } from '../../records/versionTags.ts';

export const regenerateSecret =
  (versions: ApplicationVersions): Handler<'regenerateSecret'> =>
  async ({ caller, params, headers }) => {
    const secret = newClientSecret();
    const hash = toSecretHash(secret);
    const { resource, version } = await versions.replaceSecret(caller, params.uuid, hash, headers['If-Match']);
    const body = toApplicationResource(resource, caller.tenantIdentity, secret);
    return {
      status: 200,
      headers: { 'cache-control': 'no-store', ...toTagHeader({ resource: body, version }) },
      body,
    };
  };
