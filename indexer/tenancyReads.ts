// Reads of tenants and applications: the newest version, committed or not.
import { toApplicationIdentity, toKey } from '../ledger/identity.ts';
import { keccak256 } from '../ledger/keccak.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import * as keys from './keys.ts';
import type { LedgerView } from './ledgerView.ts';
import type { ApplicationRow, Row, TenantRow } from './rows.ts';
import type { IndexStore } from './store.ts';
import { ofType, pending, type UncommittedRecords } from './uncommitted.ts';

type TenancyReads = Pick<LedgerView, 'readTenant' | 'readTenantIdentity' | 'readApplication'>;

/** The tenancy part of the view. */
export const createTenancyReads = (deps: { store: IndexStore; outbox: UncommittedRecords }): TenancyReads => {
  const readRow = (key: Buffer): Row | undefined => deps.store.read(key);
  const waiting = <T extends LedgerRecord['type']>(type: T) => ofType(pending(deps.outbox.readEntries()), type);

  return {
    readTenant: async (tenantIdentity) => {
      const newest = waiting('tenant').findLast((entry) => entry.streamIdentity === tenantIdentity);
      if (newest !== undefined) return newest.record;
      return (readRow(keys.tenantRowKey(toKey(tenantIdentity))) as TenantRow | undefined)?.tenant;
    },
    readTenantIdentity: async (displayName) => {
      const row = readRow(keys.tenantNameKey(keccak256(Buffer.from(displayName)))) as string | undefined;
      return row ?? waiting('tenant').find(({ record }) => record.display_name === displayName)?.streamIdentity;
    },
    readApplication: async (clientId) => {
      const identity = toApplicationIdentity(clientId);
      const newest = waiting('application').findLast((entry) => entry.streamIdentity === identity);
      if (newest !== undefined) return { tenantIdentity: newest.tenantIdentity, application: newest.record };
      return readRow(keys.applicationKey(toKey(identity))) as ApplicationRow | undefined;
    },
  };
};
