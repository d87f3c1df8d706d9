// The reads of a tenant's own subjects, each with the status of its newest version: clients wait until a subject is
// confirmed before they name it.
import { toSubjectIdentity } from '../../../ledger/identity.ts';
import {
  type Subject,
  type SubjectRecord,
  type SubjectResource,
  type SubjectStatus,
  toSubject,
  toSubjectResource,
  toWalletAddress,
} from '../../../ledger/records/subject.ts';
import { FOLLOWS_NONE } from '../../../ledger/records/version.ts';
import { SUBJECTS } from '../../projection/namedCollections.ts';
import type { SharingView } from '../../sharingView.ts';
import { createNamedReads, type NamedReadsOf, toNamedSource } from '../createNamedReads.ts';
import { type NamedSource, readNamedRow } from '../namedList.ts';
import { listNamed } from '../namedReads.ts';
import type { OverlaidReader } from '../overlaidReader.ts';
import { newestVersion, ofType, type UncommittedRecord } from '../uncommitted.ts';
import { readVersionAt } from '../versionAt.ts';
import { readTenantKeysOf, readTenantOf } from './subjectTenants.ts';

type SubjectSource = NamedSource<SubjectRecord, Subject>;

const COLLECTION: NamedReadsOf<'subject', Subject> = { type: 'subject', of: SUBJECTS, toIdentity: toSubjectIdentity };

const CONFIRMED: SubjectStatus = { confirmation_status: 'CONFIRMED' };

interface NewestVersion {
  /** The version that holds; one that the chain refused where there has never been another. */
  readonly record: SubjectRecord | undefined;
  readonly status: SubjectStatus;
}

// A refused version is the newest as long as no other one has followed the same.
const findNewest = (source: SubjectSource, identity: string): NewestVersion => {
  const entries = source.uncommitted.filter(({ streamIdentity }) => streamIdentity === identity);
  const held = readNamedRow(source, identity)?.record;
  const newest = newestVersion(entries, held);
  if (newest !== held) return { record: newest, status: { confirmation_status: 'PENDING' } };
  const follows = held?.identity ?? FOLLOWS_NONE;
  const refused = entries.findLast(({ status, record }) => status === 'FAILED' && record.follows === follows);
  if (refused === undefined) return { record: held, status: CONFIRMED };
  const { record, failureReason } = refused;
  return {
    record: held ?? record,
    status: { confirmation_status: 'FAILED', ...(failureReason !== undefined && { failure_reason: failureReason }) },
  };
};

const readResource = (source: SubjectSource, identity: string): SubjectResource | undefined => {
  const { record, status } = findNewest(source, identity);
  const subject = record && toSubject(record);
  return subject && toSubjectResource(subject, source.tenantIdentity, status);
};

const toListed = (source: SubjectSource): ((subject: Subject) => SubjectResource) => {
  const changed = new Set(source.uncommitted.map(({ streamIdentity }) => streamIdentity));
  return (subject) => {
    const status = changed.has(subject.identity) ? findNewest(source, subject.identity).status : CONFIRMED;
    return toSubjectResource(subject, source.tenantIdentity, status);
  };
};

/** Creates the reads of subjects. */
export const createSubjectReads = (
  reader: OverlaidReader,
): Pick<
  SharingView,
  | 'readSubject'
  | 'readSubjectAt'
  | 'readNewestSubject'
  | 'readSubjectVersion'
  | 'listSubjects'
  | 'readTenantKeysOfSubject'
  | 'readTenantOfSubject'
> => {
  const { readNewest, readVersion } = createNamedReads(reader, COLLECTION);
  return {
    readNewestSubject: readNewest,
    readSubjectVersion: readVersion,
    readSubject: (tenantIdentity, subjectUuid) => {
      const identity = toSubjectIdentity(subjectUuid);
      return reader.readStream(tenantIdentity, identity, (snapshot, entries) =>
        readResource(toNamedSource(COLLECTION, tenantIdentity, snapshot, entries), identity),
      );
    },
    readSubjectAt: (tenantIdentity, subjectUuid, atMs) => {
      const streamIdentity = toSubjectIdentity(subjectUuid);
      return reader.readStream(tenantIdentity, streamIdentity, async (snapshot, entries) => {
        const waiting: readonly UncommittedRecord<SubjectRecord>[] = ofType(entries, 'subject');
        const resource = { type: 'subject', tenantIdentity, streamIdentity } as const;
        const record = await readVersionAt(snapshot, resource, atMs, waiting);
        const subject = record && toSubject(record);
        const isWaiting = waiting.some((entry) => entry.record === record);
        const status: SubjectStatus = isWaiting ? { confirmation_status: 'PENDING' } : CONFIRMED;
        return subject && toSubjectResource(subject, tenantIdentity, status);
      });
    },
    listSubjects: (tenantIdentity, { fields }, page) =>
      reader.readTenant(tenantIdentity, async (snapshot, entries) => {
        const source = toNamedSource(COLLECTION, tenantIdentity, snapshot, entries);
        const found = await listNamed(source, { fields, attributes: [], order: 'newest' }, page);
        return { ...found, items: found.items.map(toListed(source)) };
      }),
    readTenantKeysOfSubject: ({ wallet_pub_key }) =>
      reader.readSnapshot((snapshot) => readTenantKeysOf(snapshot, wallet_pub_key.map(toWalletAddress))),
    readTenantOfSubject: (subject) => reader.readSnapshot((snapshot) => readTenantOf(snapshot, subject)),
  };
};
