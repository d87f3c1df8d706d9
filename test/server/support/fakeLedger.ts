// A ledger in memory: what was appended is seen at once. Stands in for the index, the outbox and the chain in the tests of the server.

import type { LedgerView, Page, PageQuery } from '../../../indexer/ledgerView.ts';
import { type AssetSettings, type AssetState, applyEvent, createAssetState } from '../../../ledger/asset.ts';
import type { EventRecord } from '../../../ledger/eventRecord.ts';
import { isCreation } from '../../../ledger/eventRecord.ts';
import { parseEventIdentity, toAssetIdentity, toEventIdentity } from '../../../ledger/identity.ts';
import { encodePayload, type LedgerRecord } from '../../../ledger/record.ts';
import { type Asset, type Commitment, type EventResource, toEventResource } from '../../../ledger/resources.ts';
import type { ApplicationRecord, TenantRecord } from '../../../ledger/tenancyRecord.ts';
import type { RecordWriter } from '../../../server/deps.ts';

export interface FakeLedger {
  readonly view: LedgerView;
  readonly writer: RecordWriter;
  readonly tenants: Map<string, TenantRecord>;
  readonly applications: Map<string, { tenantIdentity: string; application: ApplicationRecord }>;
  /** Every record that was appended, oldest first. */
  readonly records: EventRecord[];
  /** Runs before a record is taken; may wait or throw. */
  beforeAppend: (record: LedgerRecord) => Promise<void>;
}

interface Stored {
  readonly tenantIdentity: string;
  readonly assetIdentity: string;
  readonly event: EventResource;
  readonly record: EventRecord;
}

export const OWNER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const toCommitment = (position: number): Commitment => ({
  confirmation_status: 'CONFIRMED',
  timestamp_committed: '2026-11-20T10:00:00Z',
  block_number: position + 1,
  transaction_index: 0,
  log_index: 0,
  transaction_id: `0x${(position + 1).toString(16).padStart(64, '0')}`,
  from: OWNER,
});

const toState = (records: readonly EventRecord[]): AssetState => {
  const [creation, ...later] = records;
  const created = createAssetState(creation!.asset_settings as AssetSettings, creation!.asset_attributes);
  return later.reduce(applyEvent, created);
};

const toPage = <T>(newestFirst: readonly T[], { limit, after }: PageQuery): Page<T> => {
  // A position counts from the oldest, so that what arrives between pages moves nothing.
  const start = after === undefined ? 0 : newestFirst.length - Number(after);
  const end = start + limit;
  const next = end < newestFirst.length ? String(newestFirst.length - end) : undefined;
  return { items: newestFirst.slice(start, end), next, total: newestFirst.length };
};

const createView = (
  events: Map<string, Stored>,
  assets: Map<string, Stored[]>,
  { tenants, applications }: Pick<FakeLedger, 'tenants' | 'applications'>,
): LedgerView => {
  const readHistory = (tenantIdentity: string, assetUuid: string): Stored[] | undefined => {
    const history = assets.get(toAssetIdentity(assetUuid));
    return history?.[0]?.tenantIdentity === tenantIdentity ? history : undefined;
  };
  const toAsset = (history: readonly Stored[]): Asset => ({
    identity: history[0]!.assetIdentity,
    tenant_identity: history[0]!.tenantIdentity,
    owner: history[0]!.event.from,
    confirmation_status: history[0]!.event.confirmation_status,
    state: toState(history.map(({ record }) => record)),
  });
  return {
    readAsset: async (tenantIdentity, assetUuid) => {
      const history = readHistory(tenantIdentity, assetUuid);
      return history === undefined ? undefined : toAsset(history);
    },
    readCreatedAsset: async (tenantIdentity, assetUuid) => {
      const history = readHistory(tenantIdentity, assetUuid);
      return history === undefined ? undefined : toAsset(history.slice(0, 1));
    },
    readEvent: async (tenantIdentity, assetUuid, eventUuid) => {
      const stored = events.get(toEventIdentity(assetUuid, eventUuid));
      return stored?.tenantIdentity === tenantIdentity ? stored.event : undefined;
    },
    listAssets: async (tenantIdentity, page) => {
      const own = [...assets.values()].filter(([first]) => first!.tenantIdentity === tenantIdentity).map(toAsset);
      return toPage(own.filter(({ state }) => state.tracked === 'TRACKED').reverse(), page);
    },
    listEvents: async (tenantIdentity, assetUuid, page) => {
      const own = [...events.values()].filter((stored) => stored.tenantIdentity === tenantIdentity);
      const asked = own.filter((s) => assetUuid === undefined || s.assetIdentity === toAssetIdentity(assetUuid));
      return toPage(asked.map(({ event }) => event).reverse(), page);
    },
    readTenant: async (tenantIdentity) => tenants.get(tenantIdentity),
    readTenantIdentity: async (name) => [...tenants].find(([, tenant]) => tenant.display_name === name)?.[0],
    readApplication: async (clientId) => applications.get(clientId),
  };
};

const createWriter = (events: Map<string, Stored>, assets: Map<string, Stored[]>, fake: FakeLedger): RecordWriter => ({
  append: async (tenantIdentity, record) => {
    if (record.type !== 'event') throw new TypeError('the server writes events only');
    encodePayload(record);
    await fake.beforeAppend(record);
    if (events.has(record.identity)) throw new Error(`${record.identity} was appended twice`);
    const commitment = toCommitment(fake.records.length);
    const assetIdentity = toAssetIdentity(parseEventIdentity(record.identity)!.assetUuid);
    const event = toEventResource(record, tenantIdentity, commitment);
    const stored = { tenantIdentity, assetIdentity, event, record };
    events.set(record.identity, stored);
    if (isCreation(record)) assets.set(assetIdentity, [stored]);
    else assets.get(assetIdentity)!.push(stored);
    fake.records.push(record);
    return commitment;
  },
});

export const createFakeLedger = (): FakeLedger => {
  const events = new Map<string, Stored>();
  const assets = new Map<string, Stored[]>();
  const tenants: FakeLedger['tenants'] = new Map();
  const applications: FakeLedger['applications'] = new Map();
  const fake = { tenants, applications, records: [], beforeAppend: async () => {} } as unknown as FakeLedger;
  return Object.assign(fake, {
    view: createView(events, assets, { tenants, applications }),
    writer: createWriter(events, assets, fake),
  });
};
