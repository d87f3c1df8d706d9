// Reads one application, without its secret.
import { toApplicationResource } from '../../../ledger/records/application.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readOwnApplication } from '../../records/applicationVersions.ts';

export const getApplication =
  (deps: ServerDeps): Handler<'getApplication'> =>
  async ({ caller, params }) => {
    const { application } = await readOwnApplication(deps, caller, params.uuid);
    return { status: 200, body: toApplicationResource(application, caller.tenantIdentity) };
  };
