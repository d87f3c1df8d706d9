// Changes an application by recording another version, with the same secret.
import { toApplicationResource } from '../../../ledger/records/application.ts';
import type { Handler } from '../../openapi/handlers.ts';
import type { ApplicationVersions } from '../../records/applicationVersions.ts';
import { maskChanges } from '../../records/masks.ts';
import { toChangedApplication } from '../../records/newApplication.ts';

/** What fields are reset to. */
const ZEROS = { custom_claims: {}, roles: [] };

export const updateApplication =
  (versions: ApplicationVersions): Handler<'updateApplication'> =>
  async ({ caller, params, query, body }) => {
    const changes = maskChanges(body, query.mask, ZEROS);
    const change = versions.change(caller, params.uuid, (application) => toChangedApplication(application, changes));
    return { status: 200, body: toApplicationResource(await change, caller.tenantIdentity) };
  };
