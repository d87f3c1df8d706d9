// Creates an access policy by recording its first version, within the tenant's quota.
import { toAccessPolicyIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import { type AccessPolicyRecord, toAccessPolicy } from '../../../ledger/records/accessPolicy.ts';
import { FOLLOWS_NONE } from '../../../ledger/records/version.ts';
import { assertAccessPolicy } from '../../../ledger/sharing/accessPolicyRules.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import type { Acceptance } from '../../records/acceptance.ts';
import { createAccessPolicyQuota } from '../../records/accessPolicyQuota.ts';
import { appendConfirmed, assertEffective } from '../../records/appendVersion.ts';
import { assertSubjects } from '../../records/grantedSubjects.ts';
import { createCreateOnce, createVersionedInCollection, type MemberCreation } from '../../records/idempotency.ts';
import {
  type AccessPolicyResource,
  type NewAccessPolicy,
  toAccessPolicyContent,
  toAccessPolicyRecord,
  toAccessPolicyResource,
} from '../../records/newAccessPolicy.ts';
import type { Versioned } from '../../records/versionTags.ts';

type Creation = MemberCreation<NewAccessPolicy>;

const toIdentity = ({ uuid, recordUuid }: Creation): string =>
  toVersionIdentity(toAccessPolicyIdentity(uuid), recordUuid);

const toRecord = (creation: Creation, acceptance: Acceptance): AccessPolicyRecord => {
  const version = { identity: toIdentity(creation), follows: FOLLOWS_NONE };
  return toAccessPolicyRecord(toAccessPolicyContent(creation.body), version, false, acceptance);
};

const toCreated = (first: AccessPolicyRecord, { caller }: Creation): Versioned<AccessPolicyResource> => ({
  resource: toAccessPolicyResource(toAccessPolicy(first)!, caller.tenantIdentity),
  version: first.identity,
});

const createAppend = (deps: ServerDeps) => {
  const quota = createAccessPolicyQuota(deps);
  return async (creation: Creation): Promise<Versioned<AccessPolicyResource>> => {
    const { caller, body, uuid } = creation;
    const content = toAccessPolicyContent(body);
    assertAccessPolicy(content);
    await assertSubjects(deps.view, caller.tenantIdentity, content.access_permissions);
    const record = await quota.createWithin(caller.tenantIdentity, { identity: toAccessPolicyIdentity(uuid) }, () =>
      appendConfirmed(deps, caller, (acceptance) => toRecord(creation, acceptance)),
    );
    return toCreated(record, creation);
  };
};

export const createAccessPolicy = (deps: ServerDeps): Handler<'createAccessPolicy'> => {
  const create = createCreateOnce<Creation, AccessPolicyRecord, Versioned<AccessPolicyResource>>(deps.newUuid, {
    toIdentity,
    readFirst: ({ caller, uuid, recordUuid }) =>
      deps.view.readAccessPolicyVersion(caller.tenantIdentity, uuid, recordUuid),
    toFirstRecord: (first) => first,
    toRecord,
    answerFirst: async (first, creation) => {
      await assertEffective(deps, creation.caller.tenantIdentity, first);
      return toCreated(first, creation);
    },
    append: createAppend(deps),
  });
  return createVersionedInCollection(create, 'iam/v1/access_policies');
};
