// Changes subjects, each change by another version on the ledger, one change of a subject at a time, so that none is
// lost.
import { isDeepStrictEqual } from 'node:util';
import { LedgerError } from '../../ledger/errors.ts';
import { toSubjectIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import {
  type SubjectRecord,
  type SubjectResource,
  toSubject,
  toSubjectResource,
} from '../../ledger/records/subject.ts';
import type { ServerDeps } from '../deps.ts';
import { createRunExclusively } from '../fairness/exclusive.ts';
import type { Caller } from '../openapi/handlers.ts';
import type { Acceptance } from './acceptance.ts';
import { appendVersion } from './appendVersion.ts';
import { type SubjectChanges, toChangedSubject, toSubjectRecord } from './newSubject.ts';
import { assertChangeable } from './selfSubject.ts';
import { assertSubjectKeys } from './subjectKeys.ts';
import { assertVersionMatches, type Versioned } from './versionTags.ts';

type ChangeDeps = Pick<ServerDeps, 'view' | 'writer' | 'clock' | 'isEmailOmitted' | 'newUuid'>;

export interface SubjectVersions {
  /**
   * Replaces the given members. Appends nothing if nothing changes. Rejects with SUBJECT_NOT_FOUND or
   * SUBJECT_UNCHANGEABLE, or as `assertVersionMatches`, `assertSubjectKeys` and `appendVersion` do.
   */
  change(
    caller: Caller,
    subjectUuid: string,
    changes: SubjectChanges,
    ifMatch: string | undefined,
  ): Promise<Versioned<SubjectResource>>;
  /**
   * Deletes the subject. Rejects with SUBJECT_NOT_FOUND or SUBJECT_UNCHANGEABLE, or as `assertVersionMatches` and
   * `appendVersion` do.
   */
  delete(caller: Caller, subjectUuid: string, ifMatch: string | undefined): Promise<void>;
}

/** The changes of one server. */
export const createSubjectVersions = (deps: ChangeDeps): SubjectVersions => {
  const { view, newUuid } = deps;
  const runExclusively = createRunExclusively();
  const readNewest = async (
    { tenantIdentity }: Caller,
    subjectUuid: string,
    ifMatch: string | undefined,
  ): Promise<SubjectRecord> => {
    const newest = await view.readNewestSubject(tenantIdentity, subjectUuid);
    if (newest === undefined) throw new LedgerError('SUBJECT_NOT_FOUND');
    assertVersionMatches(ifMatch, newest.identity);
    return newest;
  };
  const toVersion = (subjectUuid: string, { identity }: SubjectRecord) => ({
    identity: toVersionIdentity(toSubjectIdentity(subjectUuid), newUuid()),
    follows: identity,
  });
  const appendChange = async (
    caller: Caller,
    subjectUuid: string,
    { changes, ifMatch }: { readonly changes: SubjectChanges; readonly ifMatch: string | undefined },
  ): Promise<Versioned<SubjectResource>> => {
    const { tenantIdentity } = caller;
    const newest = await readNewest(caller, subjectUuid, ifMatch);
    if (changes.wallet_pub_key !== undefined) await assertSubjectKeys(view, changes.wallet_pub_key);
    const [before, after] = [toChangedSubject(newest, {}), toChangedSubject(newest, changes)];
    if (isDeepStrictEqual(after, before))
      return { resource: (await view.readSubject(tenantIdentity, subjectUuid))!, version: newest.identity };
    const version = toVersion(subjectUuid, newest);
    const toRecord = (acceptance: Acceptance) => toSubjectRecord(after, version, acceptance);
    const { record, commitment } = await appendVersion(deps, caller, toRecord);
    return { resource: toSubjectResource(toSubject(record)!, tenantIdentity, commitment), version: record.identity };
  };
  const appendDeletion = async (caller: Caller, subjectUuid: string, ifMatch: string | undefined): Promise<void> => {
    const newest = await readNewest(caller, subjectUuid, ifMatch);
    const version = toVersion(subjectUuid, newest);
    await appendVersion(deps, caller, (acceptance) => toSubjectRecord(newest, version, acceptance, true));
  };
  const run = async <T>({ tenantIdentity }: Caller, subjectUuid: string, task: () => Promise<T>): Promise<T> => {
    assertChangeable(subjectUuid);
    return runExclusively(JSON.stringify([tenantIdentity, subjectUuid]), task);
  };
  return {
    change: (caller, subjectUuid, changes, ifMatch) =>
      run(caller, subjectUuid, () => appendChange(caller, subjectUuid, { changes, ifMatch })),
    delete: (caller, subjectUuid, ifMatch) =>
      run(caller, subjectUuid, () => appendDeletion(caller, subjectUuid, ifMatch)),
  };
};
