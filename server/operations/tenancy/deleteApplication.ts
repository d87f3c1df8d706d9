// Deleting an application is recording that it is taken back; once, whoever asks at the same time.

import type { Handler } from '../../openapi/handlers.ts';
import type { ApplicationVersions } from '../../records/applicationVersions.ts';

export const deleteApplication =
  (versions: ApplicationVersions): Handler<'deleteApplication'> =>
  async ({ caller, params }) => {
    await versions.delete(caller, params.uuid);
    return { status: 200, body: {} };
  };
