// Repeats what found nothing after catching up with the chain: another server may have recorded it meanwhile.
import { LedgerError, type LedgerErrorCode } from '../../ledger/errors.ts';

/** Brings reads to the chain's final head of now. Resolves to false when that isn't possible in time. */
export type CatchUp = () => Promise<boolean>;

/** Refusals because the ledger has no such record, or another version, all before anything is written. */
const MISSING: ReadonlySet<LedgerErrorCode> = new Set([
  'ASSET_NOT_FOUND',
  'EVENT_NOT_FOUND',
  'LOCATION_NOT_FOUND',
  'SUBJECT_NOT_FOUND',
  'POLICY_NOT_FOUND',
  'ACCESS_POLICY_NOT_FOUND',
  'BLOB_NOT_FOUND',
  'ATTACHMENT_NOT_FOUND',
  'APPLICATION_NOT_FOUND',
  'TENANT_NOT_FOUND',
  'LOCATION_UNKNOWN',
  'SUBJECT_UNKNOWN',
  'ATTACHMENT_INVALID',
  'PRECONDITION_FAILED',
]);

const isMissing = (error: unknown): boolean => error instanceof LedgerError && MISSING.has(error.code);

/** Resolves as `attempt` does, and as a second one if the first found nothing and `catchUp` succeeds. */
export const repeatMissing = async <T>(
  attempt: () => Promise<T>,
  catchUp: CatchUp | undefined,
  isRepeated = isMissing,
): Promise<T> => {
  try {
    return await attempt();
  } catch (error) {
    if (catchUp === undefined || !isRepeated(error) || !(await catchUp())) throw error;
    return attempt();
  }
};

/** Whether an error says that the ledger has no such credentials. */
export const isRefusedAs =
  (code: LedgerErrorCode) =>
  (error: unknown): boolean =>
    error instanceof LedgerError && error.code === code;
