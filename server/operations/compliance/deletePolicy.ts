// Deletes a compliance policy by recording its deletion, once even when several clients request it at the same time.
import { LedgerError } from '../../../ledger/errors.ts';
import { toVersionIdentity } from '../../../ledger/identity.ts';
import type { PolicyResource } from '../../../ledger/records/policy.ts';
import type { ServerDeps } from '../../deps.ts';
import { createRunExclusively } from '../../exclusive.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { acceptNow } from '../../records/newEvent.ts';
import { toPolicyRecord } from '../../records/newPolicy.ts';

const appendDeletion = async (deps: ServerDeps, caller: Caller, policyUuid: string): Promise<PolicyResource> => {
  const { view, writer, newUuid } = deps;
  const { tenantIdentity } = caller;
  const policy = await view.readPolicy(tenantIdentity, policyUuid);
  if (policy === undefined) throw new LedgerError('POLICY_NOT_FOUND');
  const identity = toVersionIdentity(policy.identity, newUuid());
  await writer.append(tenantIdentity, toPolicyRecord(policy, identity, true, acceptNow(deps, caller)));
  return policy;
};

export const deletePolicy = (deps: ServerDeps): Handler<'deletePolicy'> => {
  const runExclusively = createRunExclusively();
  return async ({ caller, params }) => {
    const name = JSON.stringify([caller.tenantIdentity, params.uuid]);
    return { status: 200, body: await runExclusively(name, () => appendDeletion(deps, caller, params.uuid)) };
  };
};
