// Changes an application by recording another version, with the same secret.
import { toApplicationResource } from '../../../ledger/records/application.ts';
import type { Handler } from '../../openapi/handlers.ts';
import type { ApplicationVersions } from '../../records/applicationVersions.ts';
import { toChangedApplication } from '../../records/newApplication.ts';

export const updateApplication =
  (versions: ApplicationVersions): Handler<'updateApplication'> =>
  async ({ caller, params, body }) => {
    const change = versions.change(caller, params.uuid, (application) => toChangedApplication(application, body));
    return { status: 200, body: toApplicationResource(await change, caller.tenantIdentity) };
  };
