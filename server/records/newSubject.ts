// Converts a client's request to a version of a subject. Pure, like newEvent.ts.
import type { SubjectContent, SubjectRecord } from '../../ledger/records/subject.ts';
import type { Version } from '../../ledger/records/version.ts';
import type { HandlerRequest } from '../openapi/handlers.ts';
import type { Acceptance } from './acceptance.ts';

/** What a client sends to create a subject. */
export type NewSubject = HandlerRequest<'createSubject'>['body'];
/** What a client sends to change a subject; a missing member stays as it is. */
export type SubjectChanges = HandlerRequest<'updateSubject'>['body'];

/** The content of a new subject. */
export const toSubjectContent = (intent: NewSubject): SubjectContent => ({
  display_name: intent.display_name,
  wallet_pub_key: intent.wallet_pub_key,
  tessera_pub_key: intent.tessera_pub_key ?? [],
});

/** A subject with some of its fields replaced; each list is replaced as one. */
export const toChangedSubject = (content: SubjectContent, changes: SubjectChanges): SubjectContent => ({
  display_name: changes.display_name ?? content.display_name,
  wallet_pub_key: changes.wallet_pub_key ?? content.wallet_pub_key,
  tessera_pub_key: changes.tessera_pub_key ?? content.tessera_pub_key,
});

/** The record of one version of a subject, which follows another one or none; `isDeleted`: of its deletion. */
export const toSubjectRecord = (
  { display_name, wallet_pub_key, tessera_pub_key }: SubjectContent,
  { identity, follows }: Required<Version>,
  acceptance: Acceptance,
  isDeleted = false,
): SubjectRecord => ({
  type: 'subject',
  identity,
  follows,
  display_name,
  wallet_pub_key,
  tessera_pub_key,
  is_deleted: isDeleted,
  timestamp_accepted: acceptance.atTimestamp,
  principal_accepted: acceptance.principal,
});
