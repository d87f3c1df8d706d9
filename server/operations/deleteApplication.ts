// Deleting an application is recording that it is taken back; once, whoever asks at the same time.
import type { ApplicationVersions } from '../applicationVersions.ts';
import type { Handler } from '../handlers.ts';

export const deleteApplication =
  (versions: ApplicationVersions): Handler<'deleteApplication'> =>
  async ({ caller, params }) => {
    await versions.delete(caller, params.uuid);
    return { status: 200, body: {} };
  };
