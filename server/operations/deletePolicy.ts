// Deleting a compliance policy is recording that it is taken back; once, whoever asks at the same time.
import { LedgerError } from '../../ledger/errors.ts';
import { toVersionIdentity } from '../../ledger/identity.ts';
import type { PolicyResource } from '../../ledger/resources.ts';
import { toTimestamp } from '../../ledger/timestamp.ts';
import type { ServerDeps } from '../deps.ts';
import { createRunExclusively } from '../exclusive.ts';
import type { Caller, Handler } from '../handlers.ts';
import { toPolicyRecord } from '../newPolicy.ts';

const appendDeletion = async (
  { view, writer, now, newUuid }: ServerDeps,
  { tenantIdentity, principal }: Caller,
  policyUuid: string,
): Promise<PolicyResource> => {
  const policy = await view.readPolicy(tenantIdentity, policyUuid);
  if (policy === undefined) throw new LedgerError('POLICY_NOT_FOUND');
  const identity = toVersionIdentity(policy.identity, newUuid());
  const acceptance = { atTimestamp: toTimestamp(now()), principal };
  await writer.append(tenantIdentity, toPolicyRecord(policy, identity, true, acceptance));
  return policy;
};

export const deletePolicy = (deps: ServerDeps): Handler<'deletePolicy'> => {
  const runExclusively = createRunExclusively();
  return async ({ caller, params }) => {
    const name = JSON.stringify([caller.tenantIdentity, params.uuid]);
    return { status: 200, body: await runExclusively(name, () => appendDeletion(deps, caller, params.uuid)) };
  };
};
