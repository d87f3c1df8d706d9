// Deletes a subject by recording its deletion, once even when several clients request it at the same time.
import type { Handler } from '../../openapi/handlers.ts';
import type { SubjectVersions } from '../../records/subjectVersions.ts';

export const deleteSubject =
  (versions: SubjectVersions): Handler<'deleteSubject'> =>
  async ({ caller, params }) => {
    await versions.delete(caller, params.uuid);
    return { status: 200, body: {} };
  };
