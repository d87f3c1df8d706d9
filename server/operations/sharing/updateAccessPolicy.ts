// Changes an access policy by recording another version.
import type { Handler } from '../../openapi/handlers.ts';
import type { AccessPolicyVersions } from '../../records/accessPolicyVersions.ts';
import { maskChanges } from '../../records/masks.ts';
import {
  type AccessPolicyChanges,
  toAccessPolicyChanges,
  toAccessPolicyResource,
} from '../../records/newAccessPolicy.ts';
import { toVersionedAnswer } from '../../records/versionTags.ts';

/** What fields are reset to. No filters would match every asset, so they must be sent to be removed. */
const ZEROS: AccessPolicyChanges = { description: '' };

export const updateAccessPolicy =
  (versions: AccessPolicyVersions): Handler<'updateAccessPolicy'> =>
  async ({ caller, params, query, headers, body }) => {
    const changes = toAccessPolicyChanges(maskChanges(body, query.mask, ZEROS));
    const { resource: policy, version } = await versions.change(caller, params.uuid, changes, headers['If-Match']);
    return toVersionedAnswer({ resource: toAccessPolicyResource(policy, caller.tenantIdentity), version });
  };
