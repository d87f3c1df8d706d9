// Deletes an application by recording its deletion, once even when several clients request it at the same time.
import type { Handler } from '../../openapi/handlers.ts';
import type { ApplicationVersions } from '../../records/applicationVersions.ts';

export const deleteApplication =
  (versions: ApplicationVersions): Handler<'deleteApplication'> =>
  async ({ caller, params, headers }) => {
    await versions.delete(caller, params.uuid, headers['If-Match']);
    return { status: 200, body: {} };
  };
