// Converts a client's request to a version of an application (decision 37). Pure, like newEvent.ts.
import { toVersionIdentity } from '../../ledger/identity.ts';
import {
  type Application,
  type ApplicationRecord,
  ROLES,
  type Role,
  toRecordedRoles,
} from '../../ledger/records/application.ts';
import { assertCustomClaims } from '../../ledger/tenancy/customClaims.ts';
import type { HandlerRequest } from '../openapi/handlers.ts';
import type { Acceptance } from './acceptance.ts';

/** What a client sends to create an application. */
export type NewApplication = HandlerRequest<'createApplication'>['body'];
/** What a client sends to change an application; a missing member stays as it is. */
export type ApplicationChanges = HandlerRequest<'updateApplication'>['body'];

/** An application without the hash of its secret. */
export type UnkeyedApplication = Omit<Application, 'secret_sha256' | 'secret_valid_from'>;

/** A secret as the ledger stores it: its hash, never the secret. */
export interface SecretStamp {
  readonly sha256: string;
  /** RFC 3339. */
  readonly validFrom: string;
}

// Each role once, in the ledger's order.
const toRoles = (given: readonly Role[]): Role[] => ROLES.filter((role) => given.includes(role));

/**
 * An application with some of its fields replaced; `custom_claims` and `roles` are each replaced as one.
 * @throws LedgerError APPLICATION_INVALID that names a claim.
 */
export const toChangedApplication = <A extends UnkeyedApplication>(application: A, changes: ApplicationChanges): A => {
  if (changes.custom_claims !== undefined) assertCustomClaims(changes.custom_claims);
  return {
    ...application,
    display_name: changes.display_name ?? application.display_name,
    custom_claims: changes.custom_claims ?? application.custom_claims,
    roles: changes.roles === undefined ? application.roles : toRoles(changes.roles),
  };
};

/** The application with this secret, in place of any other. */
export const withSecret = (application: UnkeyedApplication, { sha256, validFrom }: SecretStamp): Application => ({
  ...application,
  secret_sha256: sha256,
  secret_valid_from: validFrom,
});

/**
 * A new application without its secret, which is valid from the acceptance on. Has the given roles when the client
 * names none; an application without roles has no rights.
 * @throws LedgerError APPLICATION_INVALID that names a claim.
 */
export const toApplicationOf = (
  { identity, roles }: Pick<Application, 'identity' | 'roles'>,
  intent: NewApplication,
): UnkeyedApplication => toChangedApplication({ identity, display_name: '', roles, custom_claims: {} }, intent);

/** What makes a version of an application another one than the version that it follows, besides its content. */
export interface NewVersion {
  readonly versionUuid: string;
  readonly follows: string;
  readonly isDeleted: boolean;
}

/** The record of one version of an application, or the record that deletes it. */
export const toApplicationRecord = (
  application: Application,
  { versionUuid, follows, isDeleted }: NewVersion,
  acceptance: Acceptance,
): ApplicationRecord => ({
  type: 'application',
  identity: toVersionIdentity(application.identity, versionUuid),
  follows,
  display_name: application.display_name,
  ...toRecordedRoles(application.roles),
  custom_claims: application.custom_claims,
  secret_sha256: application.secret_sha256,
  secret_valid_from: application.secret_valid_from,
  is_deleted: isDeleted,
  timestamp_accepted: acceptance.atTimestamp,
  principal_accepted: acceptance.principal,
});
