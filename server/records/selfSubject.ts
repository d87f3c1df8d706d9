// The subject that is the caller's own tenant. It is no record: its keys are those with which this server signs.
import { LedgerError } from '../../ledger/errors.ts';
import { SELF_IDENTITY, toUuid } from '../../ledger/identity.ts';
import { type SubjectResource, toSubjectResource, withAddresses } from '../../ledger/records/subject.ts';
import type { ServerDeps } from '../deps.ts';

const SELF_NAME = 'Self';

/** Whether a UUID names the tenant's own subject. */
export const isSelf = (subjectUuid: string): boolean => subjectUuid === toUuid(SELF_IDENTITY);

/** @throws LedgerError SUBJECT_UNCHANGEABLE for the tenant's own subject. */
export const assertChangeable = (subjectUuid: string): void => {
  if (isSelf(subjectUuid)) throw new LedgerError('SUBJECT_UNCHANGEABLE');
};

/**
 * The tenant's own subject.
 * @throws LedgerError TENANT_PENDING or AUTHOR_UNAVAILABLE when the tenant's key isn't usable.
 */
export const toSelf = (
  { readAuthorKeys }: Pick<ServerDeps, 'readAuthorKeys'>,
  tenantIdentity: string,
): SubjectResource => {
  const content = { display_name: SELF_NAME, wallet_pub_key: readAuthorKeys(tenantIdentity), tessera_pub_key: [] };
  return toSubjectResource(withAddresses(SELF_IDENTITY, content), tenantIdentity, { confirmation_status: 'CONFIRMED' });
};
