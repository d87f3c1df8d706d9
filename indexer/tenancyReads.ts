// Reads of tenants and applications: the newest version, committed or not.
import { toApplicationIdentity, toKey } from '../ledger/identity.ts';
import { keccak256 } from '../ledger/keccak.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import * as keys from './keys.ts';
import type { LedgerView } from './ledgerView.ts';
import type { ApplicationRow, Row, TenantRow } from './rows.ts';
import type { IndexStore } from './store.ts';
import type { UncommittedRecord, UncommittedRecords } from './uncommitted.ts';

type TenancyReads = Pick<LedgerView, 'readTenant' | 'readTenantIdentity' | 'readApplication'>;

const isOfType = <T extends LedgerRecord['type']>(
  entry: UncommittedRecord,
  type: T,
): entry is UncommittedRecord & { record: Extract<LedgerRecord, { type: T }> } =>
  entry.status === 'PENDING' && entry.record.type === type;

/** The tenancy part of the view. */
export const createTenancyReads = (deps: { store: IndexStore; outbox: UncommittedRecords }): TenancyReads => {
  const readRow = (key: Buffer): Row | undefined => deps.store.readMany([key])[0];
  const pending = <T extends LedgerRecord['type']>(type: T) =>
    deps.outbox.readEntries().flatMap((entry) => (isOfType(entry, type) ? [entry] : []));

  return {
    readTenant: async (tenantIdentity) => {
      const newest = pending('tenant').findLast((entry) => entry.streamIdentity === tenantIdentity);
      if (newest !== undefined) return newest.record;
      return (readRow(keys.tenantRowKey(toKey(tenantIdentity))) as TenantRow | undefined)?.tenant;
    },
    readTenantIdentity: async (displayName) => {
      const row = readRow(keys.tenantNameKey(keccak256(Buffer.from(displayName)))) as string | undefined;
      return row ?? pending('tenant').find(({ record }) => record.display_name === displayName)?.streamIdentity;
    },
    readApplication: async (clientId) => {
      const identity = toApplicationIdentity(clientId);
      const newest = pending('application').findLast((entry) => entry.streamIdentity === identity);
      if (newest !== undefined) return { tenantIdentity: newest.tenantIdentity, application: newest.record };
      return readRow(keys.applicationKey(toKey(identity))) as ApplicationRow | undefined;
    },
  };
};
