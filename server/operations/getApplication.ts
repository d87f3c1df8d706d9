// One application, without its secret.
import { toApplicationResource } from '../../ledger/application.ts';
import { readOwnApplication } from '../applicationVersions.ts';
import type { ServerDeps } from '../deps.ts';
import type { Handler } from '../handlers.ts';

export const getApplication =
  (deps: ServerDeps): Handler<'getApplication'> =>
  async ({ caller, params }) => {
    const application = await readOwnApplication(deps, caller, params.uuid);
    return { status: 200, body: toApplicationResource(application, caller.tenantIdentity) };
  };
