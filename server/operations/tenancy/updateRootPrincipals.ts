// Replaces the root principals by recording another version of the tenant. The changes of a tenant run one after the
// other: a principal that was removed by one change has no right to the next, so it can never take the list over.
import { isDeepStrictEqual } from 'node:util';
import { LedgerError, refuseField } from '../../../ledger/errors.ts';
import { toVersionIdentity } from '../../../ledger/identity.ts';
import { type Principal, toPrincipal } from '../../../ledger/principal.ts';
import { assertRootPrincipals, isRootPrincipal } from '../../../ledger/tenancy/rootPrincipals.ts';
import type { ServerDeps } from '../../deps.ts';
import type { RunExclusively } from '../../fairness/exclusive.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { appendConfirmed } from '../../records/appendVersion.ts';
import { assertVersionMatches, toVersionedAnswer } from '../../records/versionTags.ts';

interface Replacement {
  readonly next: readonly Principal[];
  readonly ifMatch: string | undefined;
}

// Resolves with the identity of the version that has the list.
const appendList = async (deps: ServerDeps, caller: Caller, { next, ifMatch }: Replacement): Promise<string> => {
  const { view, newUuid } = deps;
  const { tenantIdentity, principal } = caller;
  const tenant = await view.readTenant(tenantIdentity);
  if (tenant === undefined) throw new LedgerError('TENANT_NOT_FOUND');
  const current = tenant.root_principals;
  if (!isRootPrincipal(current, principal)) throw refuseField('FORBIDDEN', 'authorization', 'lacks the right "root"');
  assertVersionMatches(ifMatch, tenant.identity);
  assertRootPrincipals(next, { current, caller: principal });
  if (isDeepStrictEqual(next, current)) return tenant.identity;
  const { identity } = await appendConfirmed(deps, caller, (acceptance) => ({
    type: 'tenant',
    identity: toVersionIdentity(tenantIdentity, newUuid()),
    follows: tenant.identity,
    display_name: tenant.display_name,
    root_principals: next,
    timestamp_accepted: acceptance.atTimestamp,
    principal_accepted: acceptance.principal,
  }));
  return identity;
};

export const updateRootPrincipals =
  (deps: ServerDeps, runExclusively: RunExclusively): Handler<'updateRootPrincipals'> =>
  async ({ caller, headers, body }) => {
    const next = body.root_principals.map(toPrincipal);
    const replace = () => appendList(deps, caller, { next, ifMatch: headers['If-Match'] });
    const version = await runExclusively(caller.tenantIdentity, replace);
    return toVersionedAnswer({ resource: { root_principals: next }, version });
  };
