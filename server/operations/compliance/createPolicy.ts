// Creating a compliance policy is recording it, where the tenant may have one more.
import { assertPolicy, assertRequiredFields } from '../../../ledger/compliance/policyRules.ts';
import { toPolicyIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import { type PolicyResource, toPolicyResource } from '../../../ledger/records/policy.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { createRunExclusively } from '../../records/exclusive.ts';
import { createOnce, toKeyedUuid } from '../../records/idempotency.ts';
import { type Acceptance, acceptNow } from '../../records/newEvent.ts';
import { type NewPolicy, toPolicyContent, toPolicyRecord } from '../../records/newPolicy.ts';
import { createPolicyQuota, type PolicyWeight, toPolicyWeight } from '../../records/policyQuota.ts';
import type { Quota } from '../../records/quota.ts';

interface Creation {
  readonly caller: Caller;
  readonly body: NewPolicy;
  readonly policyUuid: string;
  readonly versionUuid: string;
}

const toIdentity = ({ policyUuid, versionUuid }: Creation): string =>
  toVersionIdentity(toPolicyIdentity(policyUuid), versionUuid);

const toRecord = (creation: Creation, acceptance: Acceptance) =>
  toPolicyRecord(toPolicyContent(creation.body), toIdentity(creation), false, acceptance);

const appendPolicy = (deps: ServerDeps, quota: Quota<PolicyWeight>, creation: Creation): Promise<PolicyResource> => {
  const { caller, body } = creation;
  assertRequiredFields(body.compliance_type, body);
  const record = toRecord(creation, acceptNow(deps, caller));
  assertPolicy(record);
  const policy = toPolicyResource(record);
  return quota.createWithin(caller.tenantIdentity, toPolicyWeight(policy), async () => {
    await deps.writer.append(caller.tenantIdentity, record);
    return policy;
  });
};

const PATH = 'v1/compliance_policies';

const toKeyedCreation = (caller: Caller, body: NewPolicy, key: string): Creation => {
  const policyUuid = toKeyedUuid(caller, PATH, key);
  return { caller, body, policyUuid, versionUuid: toKeyedUuid(caller, `${PATH}/${policyUuid}`, key) };
};

export const createPolicy = (deps: ServerDeps): Handler<'createPolicy'> => {
  const { view, newUuid } = deps;
  const quota = createPolicyQuota(deps);
  const runExclusively = createRunExclusively();
  const createKeyed = (creation: Creation): Promise<PolicyResource> => {
    const { caller, policyUuid, versionUuid } = creation;
    return createOnce(runExclusively, {
      identity: toIdentity(creation),
      readFirst: () => view.readPolicyVersion(caller.tenantIdentity, policyUuid, versionUuid),
      toFirstRecord: (first) => first,
      toRecord: (acceptance) => toRecord(creation, acceptance),
      answerFirst: async (first) => toPolicyResource(first),
      create: () => appendPolicy(deps, quota, creation),
    });
  };
  return async ({ caller, body, headers }) => {
    const key = headers['Idempotency-Key'];
    const policy =
      key === undefined
        ? appendPolicy(deps, quota, { caller, body, policyUuid: newUuid(), versionUuid: newUuid() })
        : createKeyed(toKeyedCreation(caller, body, key));
    return { status: 200, body: await policy };
  };
};
