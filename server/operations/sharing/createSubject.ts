// Creates a subject by recording its first version, within the tenant's quota.
import { toSubjectIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import {
  type SubjectRecord,
  type SubjectResource,
  type SubjectStatus,
  toSubject,
  toSubjectResource,
} from '../../../ledger/records/subject.ts';
import { FOLLOWS_NONE } from '../../../ledger/records/version.ts';
import { assertWalletAddresses } from '../../../ledger/sharing/walletKeys.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { createQuota } from '../../quota.ts';
import type { Acceptance } from '../../records/acceptance.ts';
import { appendVersion, assertEffective } from '../../records/appendVersion.ts';
import { createCreateOnce, createVersionedInCollection, type MemberCreation } from '../../records/idempotency.ts';
import { type NewSubject, toSubjectContent, toSubjectRecord } from '../../records/newSubject.ts';
import { assertSubjectKeys } from '../../records/subjectKeys.ts';
import type { Versioned } from '../../records/versionTags.ts';

type Creation = MemberCreation<NewSubject>;

const toIdentity = ({ uuid, recordUuid }: Creation): string => toVersionIdentity(toSubjectIdentity(uuid), recordUuid);

const toRecord = (creation: Creation, acceptance: Acceptance): SubjectRecord =>
  toSubjectRecord(
    toSubjectContent(creation.body),
    { identity: toIdentity(creation), follows: FOLLOWS_NONE },
    acceptance,
  );

const toCreated = (first: SubjectRecord, { caller }: Creation, status: SubjectStatus): Versioned<SubjectResource> => ({
  resource: toSubjectResource(toSubject(first)!, caller.tenantIdentity, status),
  version: first.identity,
});

const createAppend = (deps: ServerDeps) => {
  const { view, limits } = deps;
  const quota = createQuota<Pick<SubjectResource, 'identity'>>({
    list: (tenantIdentity, page) => view.listSubjects(tenantIdentity, { fields: [] }, page),
    max: limits.subjectsMax,
    code: 'SUBJECT_QUOTA_REACHED',
  });
  return async (creation: Creation): Promise<Versioned<SubjectResource>> => {
    const { caller, body, uuid } = creation;
    await assertSubjectKeys(view, body.wallet_pub_key);
    const { record, commitment } = await quota.createWithin(
      caller.tenantIdentity,
      { identity: toSubjectIdentity(uuid) },
      () => appendVersion(deps, caller, (acceptance) => toRecord(creation, acceptance)),
    );
    return toCreated(record, creation, commitment);
  };
};

export const createSubject = (deps: ServerDeps): Handler<'createSubject'> => {
  const { view, newUuid } = deps;
  const create = createCreateOnce<Creation, SubjectRecord, Versioned<SubjectResource>>(newUuid, {
    toIdentity,
    readFirst: ({ caller, uuid, recordUuid }) => view.readSubjectVersion(caller.tenantIdentity, uuid, recordUuid),
    toFirstRecord: (first) => first,
    toRecord,
    answerFirst: async (first, creation) => {
      const { tenantIdentity } = creation.caller;
      await assertEffective(deps, tenantIdentity, first);
      const subject = await view.readSubject(tenantIdentity, creation.uuid);
      return toCreated(first, creation, subject ?? { confirmation_status: 'CONFIRMED' });
    },
    append: createAppend(deps),
  });
  const createMember = createVersionedInCollection(create, 'iam/v1/subjects');
  return async (request) => {
    assertWalletAddresses(request.body.wallet_pub_key, request.body.wallet_address ?? []);
    return createMember(request);
  };
};
