// Replaces the secret of an application by recording another version with the hash of the new one. The answer alone
// contains the secret.
import { toApplicationResource } from '../../../ledger/records/application.ts';
import { newClientSecret, toSecretHash } from '../../auth/clientSecret.ts';
import type { Handler } from '../../openapi/handlers.ts';
import type { ApplicationVersions } from '../../records/applicationVersions.ts';

export const regenerateSecret =
  (versions: ApplicationVersions): Handler<'regenerateSecret'> =>
  async ({ caller, params }) => {
    const secret = newClientSecret();
    const application = await versions.replaceSecret(caller, params.uuid, toSecretHash(secret));
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: toApplicationResource(application, caller.tenantIdentity, secret),
    };
  };
