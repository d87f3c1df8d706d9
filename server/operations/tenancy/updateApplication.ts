// Changes an application by recording another version, with the same secret.
import { type Application, toApplicationResource } from '../../../ledger/records/application.ts';
import type { Handler } from '../../openapi/handlers.ts';
import type { ApplicationVersions } from '../../records/applicationVersions.ts';
import { maskChanges } from '../../records/masks.ts';
import { toChangedApplication } from '../../records/newApplication.ts';
import { toVersionedAnswer } from '../../records/versionTags.ts';

/** What fields are reset to. */
const ZEROS = { custom_claims: {}, roles: [] };

export const updateApplication =
  (versions: ApplicationVersions): Handler<'updateApplication'> =>
  async ({ caller, params, query, headers, body }) => {
    const changes = maskChanges(body, query.mask, ZEROS);
    const change = (application: Application) => toChangedApplication(application, changes);
    const { resource, version } = await versions.change(caller, params.uuid, change, headers['If-Match']);
    return toVersionedAnswer({ resource: toApplicationResource(resource, caller.tenantIdentity), version });
  };
