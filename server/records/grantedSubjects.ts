// Checks of the subjects that the permissions of an access policy name.
import type { SharingView } from '../../indexer/sharingView.ts';
import { refuseField } from '../../ledger/errors.ts';
import { parseSubjectIdentity, SELF_IDENTITY, toUuid } from '../../ledger/identity.ts';
import type { AccessPermission } from '../../ledger/records/accessPolicy.ts';
import { toSubjectField } from '../../ledger/sharing/accessPolicyRules.ts';

// Each subject once, with the first field that names it.
const toFields = (permissions: readonly AccessPermission[]): Map<string, string> => {
  const fields = new Map<string, string>();
  for (const [at, { subjects }] of permissions.entries()) {
    for (const [index, subject] of subjects.entries()) {
      if (!fields.has(subject)) fields.set(subject, toSubjectField(at, index));
    }
  }
  return fields;
};

const refuseOwn = (field: string): Error => refuseField('SUBJECT_OWN', field, 'stands for the tenant itself');

/**
 * Asserts that each subject which permissions name is one of the tenant's, and not the tenant itself.
 * Rejects with SUBJECT_UNKNOWN or SUBJECT_OWN that names the first field with such a subject.
 */
export const assertSubjects = async (
  view: Pick<SharingView, 'readNewestSubject' | 'readTenantOfSubject'>,
  tenantIdentity: string,
  permissions: readonly AccessPermission[],
): Promise<void> => {
  for (const [text, field] of toFields(permissions)) {
    const identity = parseSubjectIdentity(text);
    if (identity === SELF_IDENTITY) throw refuseOwn(field);
    const subject = identity === undefined ? undefined : await view.readNewestSubject(tenantIdentity, toUuid(identity));
    if (subject === undefined)
      throw refuseField('SUBJECT_UNKNOWN', field, `there is no subject ${JSON.stringify(text)}`);
    if ((await view.readTenantOfSubject(subject)) === tenantIdentity) throw refuseOwn(field);
  }
};
