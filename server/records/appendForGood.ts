// For records about who may do what: there is nothing that could show one that the chain refused, and nobody may think that it holds.
import { LedgerError } from '../../ledger/errors.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import type { RecordWriter } from '../deps.ts';

/** Appends a record. Rejects as the writer does, and with TRANSACTION_REFUSED when the chain refuses the record. */
export const appendForGood = async (
  writer: RecordWriter,
  tenantIdentity: string,
  record: LedgerRecord,
): Promise<void> => {
  const { confirmation_status: status } = await writer.append(tenantIdentity, record);
  if (status !== 'FAILED') return;
  throw new LedgerError('TRANSACTION_REFUSED', { message: `the chain refused ${record.identity}` });
};
