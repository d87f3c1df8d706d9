// Creates an application by recording its first version with the hash of its secret. The answer alone contains the
// secret, also the answer to the same request with the same key.
import { toApplicationIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import {
  type ApplicationRecord,
  type ApplicationResource,
  toApplication,
  toApplicationResource,
} from '../../../ledger/records/application.ts';
import { FOLLOWS_NONE } from '../../../ledger/records/version.ts';
import { toSecretHash } from '../../auth/clientSecret.ts';
import type { ServerDeps } from '../../deps.ts';
import type { RunExclusively } from '../../fairness/exclusive.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { createQuota } from '../../quota.ts';
import type { Acceptance } from '../../records/acceptance.ts';
import { appendConfirmed, assertEffective } from '../../records/appendVersion.ts';
import { type CreationUuids, createCreateOnce, type MemberCreation, nameCreation } from '../../records/idempotency.ts';
import { assertShownAgain, toSecret } from '../../records/keyedSecrets.ts';
import {
  type NewApplication,
  toApplicationOf,
  toApplicationRecord,
  type UnkeyedApplication,
  withSecret,
} from '../../records/newApplication.ts';
import { toVersionedAnswer, type Versioned } from '../../records/versionTags.ts';

const ALL = { fields: [] };

interface Creation extends MemberCreation<NewApplication> {
  readonly secret: string;
}

const toIdentity = ({ uuid, recordUuid }: CreationUuids): string =>
  toVersionIdentity(toApplicationIdentity(uuid), recordUuid);

const toUnkeyed = ({ applicationRoles }: ServerDeps, { body, uuid }: Creation): UnkeyedApplication =>
  toApplicationOf({ identity: toApplicationIdentity(uuid), roles: applicationRoles }, body);

const toRecord = (deps: ServerDeps, creation: Creation, acceptance: Acceptance): ApplicationRecord => {
  const stamp = { sha256: toSecretHash(creation.secret), validFrom: acceptance.atTimestamp };
  const version = { versionUuid: creation.recordUuid, follows: FOLLOWS_NONE, isDeleted: false };
  return toApplicationRecord(withSecret(toUnkeyed(deps, creation), stamp), version, acceptance);
};

const toCreated = (record: ApplicationRecord, { caller, secret }: Creation): Versioned<ApplicationResource> => ({
  resource: toApplicationResource(toApplication(record)!, caller.tenantIdentity, secret),
  version: record.identity,
});

const createAppend = (deps: ServerDeps, runExclusively: RunExclusively) => {
  const { view, limits } = deps;
  const quota = createQuota<Pick<UnkeyedApplication, 'identity'>>({
    list: (tenantIdentity, page) => view.listApplications(tenantIdentity, ALL, page),
    max: limits.applicationsMax,
    code: 'APPLICATION_QUOTA_REACHED',
  });
  return async (creation: Creation): Promise<Versioned<ApplicationResource>> => {
    const { caller } = creation;
    const { tenantIdentity } = caller;
    const unkeyed = toUnkeyed(deps, creation);
    const append = () => appendConfirmed(deps, caller, (acceptance) => toRecord(deps, creation, acceptance));
    const record = await runExclusively(tenantIdentity, async () => {
      await caller.reauthorize();
      return quota.createWithin(tenantIdentity, unkeyed, append);
    });
    return toCreated(record, creation);
  };
};

export const createApplication = (deps: ServerDeps, runExclusively: RunExclusively): Handler<'createApplication'> => {
  const { view, newUuid } = deps;
  const create = createCreateOnce<Creation, ApplicationRecord, Versioned<ApplicationResource>>(newUuid, {
    toIdentity,
    readFirst: ({ caller, uuid, recordUuid }) => view.readApplicationVersion(caller.tenantIdentity, uuid, recordUuid),
    // A server that derives another secret is no reason to take the request for another one.
    toFirstRecord: (first, { secret }) => ({ ...first, secret_sha256: toSecretHash(secret) }),
    toRecord: (creation, acceptance) => toRecord(deps, creation, acceptance),
    answerFirst: async (first, creation) => {
      await creation.caller.reauthorize();
      await assertEffective(deps, creation.caller.tenantIdentity, first);
      await assertShownAgain(deps, first, creation.secret);
      return toCreated(first, creation);
    },
    append: createAppend(deps, runExclusively),
  });
  return async ({ caller, body, headers: { 'Idempotency-Key': key } }) => {
    const created = await create(caller, key, (nameUuid) => {
      const uuids = nameCreation(nameUuid, 'iam/v1/applications');
      return { caller, body, ...uuids, secret: toSecret(deps, toIdentity(uuids), key) };
    });
    const answer = toVersionedAnswer(created);
    return { ...answer, headers: { 'cache-control': 'no-store', ...answer.headers } };
  };
};
