// Appends versions of resources. Another writer of the tenant may record a version at the same time; of two that follow
// the same one, the second on the chain changes nothing.
import type { LedgerView } from '../../indexer/ledgerView.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import type { ApplicationRecord } from '../../ledger/records/application.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import type { LocationRecord } from '../../ledger/records/location.ts';
import type { PolicyRecord } from '../../ledger/records/policy.ts';
import type { SubjectRecord } from '../../ledger/records/subject.ts';
import type { TenantRecord } from '../../ledger/records/tenant.ts';
import type { CallerIdentity } from '../openapi/handlers.ts';
import { type Acceptance, type AcceptanceDeps, acceptRecord } from './acceptance.ts';

type VersionRecord =
  | TenantRecord
  | ApplicationRecord
  | LocationRecord
  | PolicyRecord
  | SubjectRecord
  | AccessPolicyRecord;

/** What versions are appended with. */
export interface VersionDeps extends AcceptanceDeps {
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

/** A version that was appended, and its status. */
export interface AppendedVersion<R extends VersionRecord> {
  readonly record: R;
  readonly commitment: Commitment;
}

/**
 * Accepts a version and appends it. Rejects as the writer does, and with VERSION_CONFLICT when it was committed and
 * changed nothing.
 * @param toRecord as `acceptRecord` takes it.
 */
export const appendVersion = async <R extends VersionRecord>(
  deps: VersionDeps,
  caller: CallerIdentity,
  toRecord: (acceptance: Acceptance) => R,
): Promise<AppendedVersion<R>> => {
  const { record, commitment: committing } = acceptRecord(deps, caller, toRecord);
  const commitment = await committing;
  if (commitment.confirmation_status === 'CONFIRMED') await assertEffective(deps, caller.tenantIdentity, record);
  return { record, commitment };
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
 * Appends a version of a tenant, an application or an access policy, which is about rights, and resolves with it. Its
 * resource has no status that could show a refusal by the chain, so a refusal is an error: otherwise a client would
 * rely on a right that was never granted or revoked. Rejects as `appendVersion` does, and with an error of
 * `refuseFailed` when the chain refuses the record.
 */
export const appendConfirmed = async <R extends TenantRecord | ApplicationRecord | AccessPolicyRecord>(
  deps: VersionDeps,
  caller: CallerIdentity,
  toRecord: (acceptance: Acceptance) => R,
): Promise<R> => {
  const { record, commitment } = await appendVersion(deps, caller, toRecord);
  if (commitment.confirmation_status === 'FAILED') throw refuseFailed(record, commitment);
  return record;
};
