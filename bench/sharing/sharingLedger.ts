// What bench:sharing adds to a filled index: a subject of the first tenant that stands for the second, access policies
// for it, and further events of the first tenant.
import type { RecordLog } from '../../chain/port.ts';
import { applyLogs } from '../../indexer/projection/applyLogs.ts';
import { CHUNK_NUMBERS } from '../../indexer/rows/bits.ts';
import type { IndexStore } from '../../indexer/store.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { toEventIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import type { AccessPermission, AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { type SubjectRecord, toWalletAddress } from '../../ledger/records/subject.ts';
import { createToLogs, hashOf } from '../reads/benchChain.ts';
import {
  type BenchTenant,
  COUNTS,
  siteOf,
  statusOf,
  toBenchPrincipal,
  typeNameOf,
  vendorOf,
} from '../reads/readsLedger.ts';

/** A public key whose account writes for the second tenant only. */
const WALLET_KEY = `04${'0'.repeat(127)}7`;
const ACCEPTED = toTimestamp(Date.UTC(2025, 0, 1));

const uuidOf = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
const SUBJECT = `subjects/${uuidOf(1)}`;

const toRecordFields = () => ({ timestamp_accepted: ACCEPTED, principal_accepted: toBenchPrincipal(0) });

const toSubject = (subject: number): SubjectRecord => ({
  type: 'subject',
  identity: toVersionIdentity(`subjects/${uuidOf(subject)}`, uuidOf(1)),
  follows: '',
  display_name: 'the second tenant',
  wallet_pub_key: [WALLET_KEY],
  tessera_pub_key: [],
  is_deleted: false,
  ...toRecordFields(),
});

const ATTRIBUTE_LISTS = [
  ['arc_display_name', 'arc_display_type', 'vendor'],
  ['serial', 'model', 'site'],
  ['status', 'half', 'vendor', 'arc_display_type'],
  ['*'],
];
const TYPE_LISTS = [
  [typeNameOf(0), typeNameOf(1)],
  [typeNameOf(0), typeNameOf(2), typeNameOf(5), typeNameOf(7)],
  ['*'],
  [typeNameOf(1)],
  [typeNameOf(0), typeNameOf(3)],
];

const toPermission = (policy: number): AccessPermission => ({
  subjects: [SUBJECT],
  user_attributes: [],
  behaviours: [],
  include_attributes: [],
  asset_attributes_read: ATTRIBUTE_LISTS[policy % ATTRIBUTE_LISTS.length]!,
  asset_attributes_write: [],
  event_arc_display_type_read: TYPE_LISTS[policy % TYPE_LISTS.length]!,
  event_arc_display_type_write: [],
});

// Each matches about a tenth of the assets: those of two vendors, and among them most sites and states.
const toFilters = (policy: number) => [
  {
    or: [
      `attributes.vendor=${vendorOf(policy % COUNTS.vendors)}`,
      `attributes.vendor=${vendorOf((policy * 7 + 3) % COUNTS.vendors)}`,
    ],
  },
  { or: [`attributes.site!=${siteOf(policy % COUNTS.sites)}`, `attributes.status=${statusOf(policy % 5)}`] },
];

const toPolicy = (policy: number, version = 1): AccessPolicyRecord => {
  const stream = `access_policies/${uuidOf(policy)}`;
  return {
    type: 'access_policy',
    identity: toVersionIdentity(stream, uuidOf(version)),
    follows: version === 1 ? '' : toVersionIdentity(stream, uuidOf(version - 1)),
    display_name: `policy ${policy}, version ${version}`,
    description: '',
    filters: toFilters(policy + version - 1),
    access_permissions: [toPermission(policy + version - 1)],
    is_deleted: false,
    ...toRecordFields(),
  };
};

/** Adds blocks to the index of a filled ledger. */
export interface SharingLedger {
  /** Grants the second tenant what this many access policies permit. */
  share(policies: number): Promise<void>;
  /** Writes another version of the first access policy, with other filters and permissions. */
  changePolicy(): Promise<void>;
  /** Writes an event of the first tenant for an asset of each chunk of its assets, which changes its status. */
  changeAssets(): Promise<void>;
}

/** Opens the ledger of two tenants whose index this is. */
export const openSharingLedger = (store: IndexStore, owner: BenchTenant, reader: BenchTenant): SharingLedger => {
  const toLogs = createToLogs();
  let blocks = 0;
  let version = 1;
  const add = async (tenant: BenchTenant, records: readonly LedgerRecord[], changed: Partial<RecordLog> = {}) => {
    const cursor = store.readCursor()!;
    const number = cursor.blockNumber + 1;
    const timestampSeconds = Math.ceil(tenant.toCommittedMs(owner.events + blocks) / 1000);
    blocks += 1;
    const logs = toLogs({ number, timestampSeconds }, tenant.identity, records).map((log) => ({ ...log, ...changed }));
    await applyLogs(
      store,
      { records: logs, attestations: [] },
      { ...cursor, blockNumber: number, blockHash: hashOf(number) },
    );
  };
  const toChange = (asset: number): LedgerRecord => {
    const at = toTimestamp(owner.toCommittedMs(owner.events + blocks));
    return {
      type: 'event',
      identity: toEventIdentity(owner.assetUuidOf(asset), uuidOf(blocks)),
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes: { arc_display_type: typeNameOf(blocks % COUNTS.types) },
      asset_attributes: { status: statusOf(blocks % 5) },
      asset_settings: {},
      timestamp_accepted: at,
      timestamp_declared: at,
      principal_accepted: toBenchPrincipal(0),
      principal_declared: toBenchPrincipal(0),
    };
  };
  return {
    share: async (policies) => {
      await add(reader, [toSubject(2)], { author: toWalletAddress(WALLET_KEY) });
      await add(owner, [toSubject(1)]);
      await add(
        owner,
        Array.from({ length: policies }, (_, policy) => toPolicy(policy)),
      );
    },
    changePolicy: async () => {
      version += 1;
      await add(owner, [toPolicy(0, version)]);
    },
    changeAssets: async () => {
      const chunks = Math.ceil(owner.assets / CHUNK_NUMBERS);
      const lows = Array.from({ length: chunks }, (_, chunk) => chunk * CHUNK_NUMBERS + (blocks % CHUNK_NUMBERS));
      await add(owner, lows.filter((asset) => asset < owner.assets).map(toChange));
    },
  };
};
