// Reads one access policy as it is now, or as it was at a time.
import { normalizeTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { toAccessPolicy } from '../../../ledger/records/accessPolicy.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toAccessPolicyResource } from '../../records/newAccessPolicy.ts';
import { toVersionedAnswer } from '../../records/versionTags.ts';

export const getAccessPolicy =
  ({ view }: ServerDeps): Handler<'getAccessPolicy'> =>
  async ({ caller: { tenantIdentity }, params: { uuid }, query: { at_time } }) => {
    if (at_time !== undefined) {
      const atMs = Date.parse(normalizeTimestamp(at_time, 'at_time'));
      const past = await view.readAccessPolicyAt(tenantIdentity, uuid, atMs);
      if (past === undefined) throw new LedgerError('ACCESS_POLICY_NOT_FOUND');
      return { status: 200, body: toAccessPolicyResource(past, tenantIdentity) };
    }
    const newest = await view.readNewestAccessPolicy(tenantIdentity, uuid);
    if (newest === undefined) throw new LedgerError('ACCESS_POLICY_NOT_FOUND');
    const resource = toAccessPolicyResource(toAccessPolicy(newest)!, tenantIdentity);
    return toVersionedAnswer({ resource, version: newest.identity });
  };
