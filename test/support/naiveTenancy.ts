// A model of the index's answers about tenants and applications, as plain as possible. Written from the decisions and
// the interface of the view, not from the index.
import type { ApplicationQuery, OwnedApplication } from '../../indexer/ledgerView.ts';
import type { UncommittedRecord } from '../../indexer/reads/uncommitted.ts';
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import { type Application, type ApplicationRecord, toApplication } from '../../ledger/records/application.ts';
import { toUncommitted } from '../../ledger/records/commitment.ts';
import { decodeKeyedPayload, type LedgerRecord } from '../../ledger/records/record.ts';
import type { TenantRecord } from '../../ledger/records/tenant.ts';
import type { NaiveLog } from './naiveContributions.ts';
import { type NaivePlace, newestFirst } from './naiveOrder.ts';
import { isRequestedApplication } from './naiveQueries.ts';
import { namesHeld } from './naiveVersions.ts';

export interface NaiveTenancy {
  readTenant(tenantIdentity: string): TenantRecord | undefined;
  readApplication(uuid: string): OwnedApplication | undefined;
  /** Newest first. */
  listApplications(tenantIdentity: string, query: ApplicationQuery): Application[];
}

const COMMITTED = { confirmation_status: 'CONFIRMED' } as const;

interface Version {
  readonly tenantIdentity: string;
  readonly stream: string;
  readonly record: LedgerRecord;
}

const toCommitted = ({ tenantIdentity, log }: NaiveLog): Version[] => {
  const record = decodeKeyedPayload(log.payload, log);
  return record === undefined ? [] : [{ tenantIdentity, stream: toStreamIdentityOf(record), record }];
};

/** The model of these logs, in the order of the chain, and these entries of the outbox, oldest first. */
export const createNaiveTenancy = (logs: readonly NaiveLog[], outbox: readonly UncommittedRecord[]): NaiveTenancy => {
  const tenants = new Map<string, TenantRecord>();
  // By tenant and application, in the order of first versions; undefined while the chain has refused them all.
  const versions = new Map<string, { of: string; record: ApplicationRecord | undefined }>();
  const owners = new Map<string, string>();
  // The first version of each, by tenant and application.
  const firsts = new Map<string, NaivePlace>();
  const keyOf = ({ tenantIdentity, stream }: Version): string => `${tenantIdentity} ${stream}`;
  const takeTenant = (tenantIdentity: string, record: LedgerRecord): void => {
    if (record.type !== 'tenant' || toStreamIdentityOf(record) !== tenantIdentity) return;
    if (namesHeld(record, tenants.get(tenantIdentity))) tenants.set(tenantIdentity, record);
  };

  const committed = logs.flatMap(toCommitted);
  for (const version of committed) {
    const { tenantIdentity, stream, record } = version;
    takeTenant(tenantIdentity, record);
    if (record.type !== 'application' || !tenants.has(tenantIdentity)) continue;
    if (!namesHeld(record, versions.get(keyOf(version))?.record)) continue;
    if (!owners.has(stream)) owners.set(stream, tenantIdentity);
    if (owners.get(stream) !== tenantIdentity) continue;
    versions.set(keyOf(version), { of: tenantIdentity, record });
    if (!firsts.has(keyOf(version))) firsts.set(keyOf(version), { record, commitment: COMMITTED });
  }
  const isCommitted = ({ tenantIdentity, record: { identity } }: UncommittedRecord): boolean =>
    committed.some((version) => version.tenantIdentity === tenantIdentity && version.record.identity === identity);
  const waitingOwners = new Map<string, string>();
  for (const { tenantIdentity, record, status } of outbox.filter((entry) => !isCommitted(entry))) {
    const version = { tenantIdentity, stream: toStreamIdentityOf(record), record };
    if (status === 'PENDING') takeTenant(tenantIdentity, record);
    if (record.type !== 'application' || (owners.get(version.stream) ?? tenantIdentity) !== tenantIdentity) continue;
    const isNew = status === 'PENDING';
    if (isNew && !namesHeld(record, versions.get(keyOf(version))?.record)) continue;
    if (isNew && !waitingOwners.has(version.stream)) waitingOwners.set(version.stream, tenantIdentity);
    const before = versions.get(keyOf(version))?.record;
    versions.set(keyOf(version), { of: tenantIdentity, record: isNew ? record : before });
    if (!firsts.has(keyOf(version))) firsts.set(keyOf(version), { record, commitment: toUncommitted(status) });
  }

  return {
    readTenant: (tenantIdentity) => tenants.get(tenantIdentity),
    readApplication: (uuid) => {
      const stream = `applications/${uuid}`;
      const tenantIdentity = owners.get(stream) ?? waitingOwners.get(stream);
      const record = versions.get(`${tenantIdentity} ${stream}`)?.record;
      const application = record && toApplication(record);
      return application && { tenantIdentity: tenantIdentity!, application, version: record.identity };
    },
    listApplications: (tenantIdentity, query) => {
      const requested = [...versions.values()]
        .filter(({ of }) => of === tenantIdentity)
        .flatMap(({ record }) => (record && toApplication(record)) ?? [])
        .filter((application) => isRequestedApplication(application, query));
      return newestFirst(requested, (stream) => firsts.get(`${tenantIdentity} ${stream}`)!);
    },
  };
};
