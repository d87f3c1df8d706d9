// Reads one compliance policy.
import { LedgerError } from '../../../ledger/errors.ts';
import { toPolicyResource } from '../../../ledger/records/policy.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toVersionedAnswer } from '../../records/versionTags.ts';

export const getPolicy =
  ({ view }: ServerDeps): Handler<'getPolicy'> =>
  async ({ caller, params }) => {
    const newest = await view.readNewestPolicy(caller.tenantIdentity, params.uuid);
    if (newest === undefined) throw new LedgerError('POLICY_NOT_FOUND');
    return toVersionedAnswer({ resource: toPolicyResource(newest), version: newest.identity });
  };
