// Changes a subject by recording another version.
import type { Handler } from '../../openapi/handlers.ts';
import { maskChanges } from '../../records/masks.ts';
import type { SubjectChanges } from '../../records/newSubject.ts';
import type { SubjectVersions } from '../../records/subjectVersions.ts';
import { toVersionedAnswer } from '../../records/versionTags.ts';

/** What fields are reset to. */
const ZEROS: SubjectChanges = { tessera_pub_key: [] };

export const updateSubject =
  (versions: SubjectVersions): Handler<'updateSubject'> =>
  async ({ caller, params, query, headers, body }) => {
    const changes = maskChanges(body, query.mask, ZEROS);
    return toVersionedAnswer(await versions.change(caller, params.uuid, changes, headers['If-Match']));
  };
