// Reads of tenants and applications in their newest version, committed or not.
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { toApplicationIdentity, toKey } from '../../ledger/identity.ts';
import { type ApplicationRecord, toApplication } from '../../ledger/records/application.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { isReplacing } from '../../ledger/records/version.ts';
import * as keys from '../keys.ts';
import type { LedgerView } from '../ledgerView.ts';
import { APPLICATIONS } from '../projection/namedCollections.ts';
import type { NamedRow, Row, TenantRow } from '../rows/rows.ts';
import type { IndexStore } from '../store.ts';
import { readVersion } from './createNamedReads.ts';
import { listNamed } from './namedReads.ts';
import type { OverlaidReader } from './overlaidReader.ts';
import { isIndexed } from './recordReads.ts';
import { newestVersion, ofType, pending, type UncommittedRecord, type UncommittedRecords } from './uncommitted.ts';

type TenancyReads = Pick<
  LedgerView,
  'readTenant' | 'readTenantIdentity' | 'readApplication' | 'readApplicationVersion' | 'listApplications'
>;
type TenancyDeps = { store: IndexStore; outbox: UncommittedRecords };

/** Creates the part of the ledger view that reads tenants and applications. */
export const createTenancyReads = ({ store, outbox }: TenancyDeps, reader: OverlaidReader): TenancyReads => {
  // A record of the outbox that is in the index already may not be the newest version any longer.
  const readWaiting = <T extends LedgerRecord['type']>(type: T, tenantIdentity: string, streamIdentity: string) =>
    ofType(outbox.readStream(tenantIdentity, streamIdentity), type).filter(
      ({ record: { identity } }) => !isIndexed(store, { tenantIdentity, identity }),
    );

  const readOwner = (identity: string): string | undefined =>
    store.read(keys.applicationTenantKey(toKey(identity))) as string | undefined;

  const findWaitingOwner = (identity: string): string | undefined => {
    const waiting = ofType(pending(outbox.readStreamOfAll(identity)), 'application');
    const isFirst = ({ record }: UncommittedRecord<ApplicationRecord>): boolean => isReplacing(record, undefined);
    return waiting.find(isFirst)?.tenantIdentity;
  };

  const readIndexedApplication = (tenantIdentity: string, identity: string): ApplicationRecord | undefined => {
    const row: Row | undefined = store.read(keys.namedKey(toKey(tenantIdentity), 'applications', toKey(identity)));
    return (row as NamedRow<ApplicationRecord> | undefined)?.record;
  };

  return {
    readTenant: async (tenantIdentity) => {
      const waiting = readWaiting('tenant', tenantIdentity, tenantIdentity);
      const row = store.read(keys.tenantRowKey(toKey(tenantIdentity))) as TenantRow | undefined;
      return newestVersion(waiting, row?.isSharingOnly ? undefined : row?.tenant);
    },
    readTenantIdentity: async (displayName) => {
      const row = store.read(keys.tenantNameKey(keccak256(Buffer.from(displayName)))) as string | undefined;
      const waiting = ofType(pending(outbox.readEntries()), 'tenant');
      return row ?? waiting.find(({ record }) => record.display_name === displayName)?.streamIdentity;
    },
    readApplication: async (clientId) => {
      const identity = toApplicationIdentity(clientId);
      const tenantIdentity = readOwner(identity) ?? findWaitingOwner(identity);
      if (tenantIdentity === undefined) return undefined;
      const waiting = readWaiting('application', tenantIdentity, identity);
      const record = newestVersion(waiting, readIndexedApplication(tenantIdentity, identity));
      const application = record && toApplication(record);
      return application && { tenantIdentity, application, version: record.identity };
    },
    readApplicationVersion: (tenantIdentity, clientId, versionUuid) =>
      readVersion(reader, 'application', tenantIdentity, toApplicationIdentity(clientId), versionUuid),
    listApplications: (tenantIdentity, { fields }, page) =>
      reader.readTenant(tenantIdentity, (snapshot, entries) => {
        const isOwn = ({ streamIdentity }: UncommittedRecord): boolean =>
          (readOwner(streamIdentity) ?? tenantIdentity) === tenantIdentity;
        const uncommitted = ofType(entries, 'application').filter(isOwn);
        const query = { fields, attributes: [], order: 'newest' } as const;
        return listNamed({ snapshot, tenantIdentity, of: APPLICATIONS, uncommitted }, query, page);
      }),
  };
};
