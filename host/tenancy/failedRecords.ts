// The records that the chain refused: what an operator sees of them, and how they are cleared.
import type { OutboxEntry } from '../../chain/writing/outboxEntries.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { parseTenantIdentity } from '../../ledger/identity.ts';
import type { Ledger } from '../openLedger.ts';

/** A record that the chain refused. */
export interface FailedRecord {
  readonly tenantIdentity: string;
  readonly identity: string;
  readonly acceptedAt: string;
  /** A sentence for the operator. */
  readonly reason: string;
}

const toFailedRecord = ({ tenantIdentity, record, reason }: OutboxEntry): FailedRecord => ({
  tenantIdentity,
  identity: record.identity,
  acceptedAt: record.timestamp_accepted,
  reason,
});

/** The FAILED records of all tenants, oldest first. */
export const listFailedRecords = ({ outbox }: Pick<Ledger, 'outbox'>): FailedRecord[] =>
  outbox
    .readEntries()
    .filter(({ status }) => status === 'FAILED')
    .map(toFailedRecord);

/**
 * Forgets the FAILED records of a tenant, and resolves with them: no read returns them any more.
 * @throws LedgerError IDENTITY_INVALID when the text is no tenant's identity.
 */
export const clearFailedRecords = async ({ outbox }: Pick<Ledger, 'outbox'>, text: string): Promise<FailedRecord[]> => {
  const tenantIdentity = parseTenantIdentity(text);
  if (tenantIdentity === undefined) throw new LedgerError('IDENTITY_INVALID', { message: `${text} is no tenant` });
  return (await outbox.clearFailed(tenantIdentity)).map(toFailedRecord);
};
