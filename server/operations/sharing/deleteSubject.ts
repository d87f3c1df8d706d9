// Deletes a subject by recording its deletion, once even when several clients request it at the same time.
import type { Handler } from '../../openapi/handlers.ts';
import type { SubjectVersions } from '../../records/subjectVersions.ts';

export const deleteSubject =
  (versions: SubjectVersions): Handler<'deleteSubject'> =>
  async ({ caller, params, headers }) => {
    await versions.delete(caller, params.uuid, headers['If-Match']);
    return { status: 200, body: {} };
  };
