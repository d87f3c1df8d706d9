// Appends records about who may do what. No resource has a status that could show that the chain refused such a record, so a refusal is an error.
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
