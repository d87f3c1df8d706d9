// Creates a compliance policy by recording its first version, within the tenant's quota.
import { assertPolicy, assertRequiredFields } from '../../../ledger/compliance/policyRules.ts';
import { toPolicyIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import { type PolicyRecord, type PolicyResource, toPolicyResource } from '../../../ledger/records/policy.ts';
import { FOLLOWS_NONE } from '../../../ledger/records/version.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import type { Quota } from '../../quota.ts';
import type { Acceptance } from '../../records/acceptance.ts';
import { appendVersion, assertEffective } from '../../records/appendVersion.ts';
import { createCreateOnce, createVersionedInCollection, type MemberCreation } from '../../records/idempotency.ts';
import { type NewPolicy, toPolicyContent, toPolicyRecord } from '../../records/newPolicy.ts';
import { createPolicyQuota, type PolicyWeight, toPolicyWeight } from '../../records/policyQuota.ts';
import type { Versioned } from '../../records/versionTags.ts';

type Creation = MemberCreation<NewPolicy>;

const toIdentity = ({ uuid, recordUuid }: Creation): string => toVersionIdentity(toPolicyIdentity(uuid), recordUuid);

const toRecord = (creation: Creation, acceptance: Acceptance) =>
  toPolicyRecord(
    toPolicyContent(creation.body),
    { identity: toIdentity(creation), follows: FOLLOWS_NONE },
    false,
    acceptance,
  );

const appendPolicy = (
  deps: ServerDeps,
  quota: Quota<PolicyWeight>,
  creation: Creation,
): Promise<Versioned<PolicyResource>> => {
  const { caller, body, uuid } = creation;
  assertRequiredFields(body.compliance_type, body);
  const content = toPolicyContent(body);
  assertPolicy(content);
  const policy = { ...content, identity: toPolicyIdentity(uuid) };
  return quota.createWithin(caller.tenantIdentity, toPolicyWeight(policy), async () => {
    const { record } = await appendVersion(deps, caller, (acceptance) => toRecord(creation, acceptance));
    return { resource: policy, version: record.identity };
  });
};

export const createPolicy = (deps: ServerDeps): Handler<'createPolicy'> => {
  const quota = createPolicyQuota(deps);
  const create = createCreateOnce<Creation, PolicyRecord, Versioned<PolicyResource>>(deps.newUuid, {
    toIdentity,
    readFirst: ({ caller, uuid, recordUuid }) => deps.view.readPolicyVersion(caller.tenantIdentity, uuid, recordUuid),
    toFirstRecord: (first) => first,
    toRecord,
    answerFirst: async (first, { caller }) => {
      await assertEffective(deps, caller.tenantIdentity, first);
      return { resource: toPolicyResource(first), version: first.identity };
    },
    append: (creation) => appendPolicy(deps, quota, creation),
  });
  return createVersionedInCollection(create, 'v1/compliance_policies');
};
