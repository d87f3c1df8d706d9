// Deletes a compliance policy by recording its deletion, once even when several clients request it at the same time.
import { LedgerError } from '../../../ledger/errors.ts';
import { toVersionIdentity } from '../../../ledger/identity.ts';
import { type PolicyResource, toPolicyResource } from '../../../ledger/records/policy.ts';
import type { ServerDeps } from '../../deps.ts';
import { createRunExclusively } from '../../fairness/exclusive.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { appendVersion } from '../../records/appendVersion.ts';
import { toPolicyRecord } from '../../records/newPolicy.ts';
import { assertVersionMatches } from '../../records/versionTags.ts';

const appendDeletion = async (
  deps: ServerDeps,
  caller: Caller,
  policyUuid: string,
  ifMatch: string | undefined,
): Promise<PolicyResource> => {
  const { view, newUuid } = deps;
  const { tenantIdentity } = caller;
  const newest = await view.readNewestPolicy(tenantIdentity, policyUuid);
  if (newest === undefined) throw new LedgerError('POLICY_NOT_FOUND');
  assertVersionMatches(ifMatch, newest.identity);
  const policy = toPolicyResource(newest);
  const version = { identity: toVersionIdentity(policy.identity, newUuid()), follows: newest.identity };
  await appendVersion(deps, caller, (acceptance) => toPolicyRecord(policy, version, true, acceptance));
  return policy;
};

export const deletePolicy = (deps: ServerDeps): Handler<'deletePolicy'> => {
  const runExclusively = createRunExclusively();
  return async ({ caller, params, headers }) => {
    const name = JSON.stringify([caller.tenantIdentity, params.uuid]);
    return {
      status: 200,
      body: await runExclusively(name, () => appendDeletion(deps, caller, params.uuid, headers['If-Match'])),
    };
  };
};
