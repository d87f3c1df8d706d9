// Appends records about rights. Their resources have no status that could show a refusal by the chain, so a refusal is
// an error: otherwise a client would rely on a right that was never granted or revoked.
import type { RecordAppender } from '../../chain/port.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';

/** Appends a record. Rejects as the writer does, and with TRANSACTION_REFUSED when the chain refuses the record. */
export const appendConfirmed = async (
  writer: RecordAppender,
  tenantIdentity: string,
  record: LedgerRecord,
): Promise<void> => {
  const { confirmation_status: status } = await writer.append(tenantIdentity, record);
  if (status !== 'FAILED') return;
  throw new LedgerError('TRANSACTION_REFUSED', { message: `the chain refused ${record.identity}` });
};
