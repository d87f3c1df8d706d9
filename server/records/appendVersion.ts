// Appends versions of resources. Another writer of the tenant may record a version at the same time; of two that follow
// the same one, the second on the chain changes nothing.
import type { RecordAppender } from '../../chain/port.ts';
import type { LedgerView } from '../../indexer/ledgerView.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import type { ApplicationRecord } from '../../ledger/records/application.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import type { LocationRecord } from '../../ledger/records/location.ts';
import type { PolicyRecord } from '../../ledger/records/policy.ts';
import type { SubjectRecord } from '../../ledger/records/subject.ts';
import type { TenantRecord } from '../../ledger/records/tenant.ts';

type VersionRecord =
  | TenantRecord
  | ApplicationRecord
  | LocationRecord
  | PolicyRecord
  | SubjectRecord
  | AccessPolicyRecord;

/** What versions are appended with. */
export interface VersionDeps {
  readonly writer: RecordAppender;
  readonly view: Pick<LedgerView, 'isConflicting'>;
}

/** Rejects with VERSION_CONFLICT if a committed version changed nothing. */
export const assertEffective = async (
  { view }: Pick<VersionDeps, 'view'>,
  tenantIdentity: string,
  { identity }: VersionRecord,
): Promise<void> => {
  if (!(await view.isConflicting(tenantIdentity, identity))) return;
  throw new LedgerError('VERSION_CONFLICT', { message: `${identity} changed nothing` });
};

/**
 * Appends a version. Rejects as the writer does, and with VERSION_CONFLICT when it was committed and changed nothing.
 */
export const appendVersion = async (
  deps: VersionDeps,
  tenantIdentity: string,
  record: VersionRecord,
): Promise<Commitment> => {
  const commitment = await deps.writer.append(tenantIdentity, record);
  if (commitment.confirmation_status === 'CONFIRMED') await assertEffective(deps, tenantIdentity, record);
  return commitment;
};

/**
 * The error for a record that the chain refused, where the answer has no status that could show it: AUTHOR_UNAVAILABLE
 * if this server's key is no writer of the tenant any more, else TRANSACTION_REFUSED.
 */
export const refuseFailed = (
  { identity }: { readonly identity: string },
  { failure_reason }: Pick<Commitment, 'failure_reason'>,
): LedgerError => {
  const code = failure_reason === 'AUTHOR_UNAVAILABLE' ? failure_reason : 'TRANSACTION_REFUSED';
  return new LedgerError(code, { message: `the chain refused ${identity}: ${failure_reason}` });
};

/**
 * Appends a version of a tenant, an application or an access policy, which is about rights. Its resource has no status
 * that could show a refusal by the chain, so a refusal is an error: otherwise a client would rely on a right that was
 * never granted or revoked. Rejects as `appendVersion` does, and with an error of `refuseFailed` when the chain refuses
 * the record.
 */
export const appendConfirmed = async (
  deps: VersionDeps,
  tenantIdentity: string,
  record: TenantRecord | ApplicationRecord | AccessPolicyRecord,
): Promise<void> => {
  const commitment = await appendVersion(deps, tenantIdentity, record);
  if (commitment.confirmation_status === 'FAILED') throw refuseFailed(record, commitment);
};
