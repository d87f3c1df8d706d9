// Changes a subject by recording another version.
import type { Handler } from '../../openapi/handlers.ts';
import type { SubjectVersions } from '../../records/subjectVersions.ts';

export const updateSubject =
  (versions: SubjectVersions): Handler<'updateSubject'> =>
  async ({ caller, params, body }) => ({ status: 200, body: await versions.change(caller, params.uuid, body) });
