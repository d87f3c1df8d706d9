// Deletes an access policy by recording its deletion, once even when several clients request it at the same time.
import type { Handler } from '../../openapi/handlers.ts';
import type { AccessPolicyVersions } from '../../records/accessPolicyVersions.ts';

export const deleteAccessPolicy =
  (versions: AccessPolicyVersions): Handler<'deleteAccessPolicy'> =>
  async ({ caller, params, headers }) => {
    await versions.delete(caller, params.uuid, headers['If-Match']);
    return { status: 200, body: {} };
  };
