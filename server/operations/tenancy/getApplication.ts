// Reads one application, without its secret.
import { toApplicationResource } from '../../../ledger/records/application.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readOwnApplication } from '../../records/applicationVersions.ts';
import { toVersionedAnswer } from '../../records/versionTags.ts';

export const getApplication =
  (deps: ServerDeps): Handler<'getApplication'> =>
  async ({ caller, params }) => {
    const { application, version } = await readOwnApplication(deps, caller, params.uuid);
    return toVersionedAnswer({ resource: toApplicationResource(application, caller.tenantIdentity), version });
  };
