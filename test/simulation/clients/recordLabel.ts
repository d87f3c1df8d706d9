// The label of a client's request, which its record carries.
import { isCreation } from '../../../ledger/records/event.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';

/** The label of the request that a record belongs to; empty when it belongs to none. */
export const labelOf = (record: LedgerRecord): string => {
  if (record.type === 'location') return String(record.attributes.label);
  if (record.type !== 'event') return '';
  return String((isCreation(record) ? record.asset_attributes : record.event_attributes).label);
};
