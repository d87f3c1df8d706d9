// The record with which a tenant begins. What a writer recorded for the tenant before it has no effect, whenever the
// ledger is read.
import type { LedgerRecord } from '../records/record.ts';
import { isReplacing } from '../records/version.ts';

/** Whether a record of a tenant's own stream is the tenant's first version, where none before it was. */
export const isOwnRecord = (record: LedgerRecord): boolean =>
  record.type === 'tenant' && isReplacing(record, undefined);
