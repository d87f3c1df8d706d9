// Reads one access policy as it is now, or as it was at a time.
import type { SharingView } from '../../../indexer/sharingView.ts';
import { normalizeTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toAccessPolicyResource } from '../../records/newAccessPolicy.ts';

const readPolicy = (view: SharingView, tenantIdentity: string, uuid: string, atTime: string | undefined) =>
  atTime === undefined
    ? view.readAccessPolicy(tenantIdentity, uuid)
    : view.readAccessPolicyAt(tenantIdentity, uuid, Date.parse(normalizeTimestamp(atTime, 'at_time')));

export const getAccessPolicy =
  ({ view }: ServerDeps): Handler<'getAccessPolicy'> =>
  async ({ caller, params, query }) => {
    const { tenantIdentity } = caller;
    const policy = await readPolicy(view, tenantIdentity, params.uuid, query.at_time);
    if (policy === undefined) throw new LedgerError('ACCESS_POLICY_NOT_FOUND');
    return { status: 200, body: toAccessPolicyResource(policy, tenantIdentity) };
  };
