// A ledger that crosses the borders of everything that the index divides: chunks of lists, pages of columns,
// checkpoints, and the number of assets up to which their own lists are read.
import { expect } from 'chai';
import { chunkOf, counterKey, LAYOUT_VERSION } from '../../../indexer/keys.ts';
import type { AttributeFilter, EventQuery, Page, PageQuery, TimeFilter } from '../../../indexer/ledgerView.ts';
import type { UncommittedRecord } from '../../../indexer/reads/uncommitted.ts';
import { toKey } from '../../../ledger/identity.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { expectPages } from '../../support/expectPages.ts';
import { CONTRACT } from '../../support/fakeChain.ts';
import { createNaiveView, type NaiveView } from '../../support/naiveView.ts';
import { toRecordLog, toWord } from '../../support/recordLogs.ts';
import { ALPHA, aBuiltin, aCreation, anEvent, assetOf, aTenantRecord, eventOf, uuidOf } from '../../support/records.ts';
import { type OpenIndex, openIndex } from '../../support/viewFixture.ts';

const ASSETS = 130;
const EVENTS = 8_900;
const BEGIN_MS = Date.parse('2026-01-01T00:00:00.000Z');
const at = (atMs: number): string => new Date(atMs).toISOString();

// Times increase, sometimes decrease by up to a minute, are often equal, and some come from a clock that is wrong by
// years.
const acceptedAt = (number: number): number => {
  if (number % 1_777 === 5) return BEGIN_MS - number * 86_400_000;
  return BEGIN_MS + Math.floor(number / 3) * 1_000 - ((number * 7_919) % 61) * 1_000;
};

const SECONDS = Array.from({ length: EVENTS }, (_, number) => (acceptedAt(number + 1) - BEGIN_MS) / 1_000);
const LATEST_SECOND = Math.max(...SECONDS);
const EARLIEST_SECOND = Math.min(...SECONDS);

const toAsset = (number: number): number => (number % 7 === 0 ? 1 : 1 + ((number * 31) % ASSETS));

const toEvent = (number: number): LedgerRecord => {
  const stamp = {
    identity: eventOf(toAsset(number), number),
    timestamp_accepted: at(acceptedAt(number)),
    timestamp_declared: at(acceptedAt(EVENTS - number)),
  };
  if (number % 97 === 0) return aBuiltin(number % 2 === 0 ? 'StopTracking' : 'StartTracking', undefined, stamp);
  return anEvent({
    ...stamp,
    event_attributes: { dense: 'yes', parity: String(number % 2), ...(number % 900 === 7 ? { rare: 'yes' } : {}) },
    asset_attributes: { colour: ['red', 'blue', ''][Math.floor(number / 500) % 3]!, last: String(number) },
  });
};

const toCreation = (asset: number): LedgerRecord =>
  aCreation({
    identity: eventOf(asset, 0),
    timestamp_accepted: at(BEGIN_MS - 1_000),
    asset_attributes: { kind: String(asset % 3), ...(asset > 126 ? { few: 'yes' } : {}) },
  });

const RECORDS = [
  aTenantRecord(ALPHA),
  ...Array.from({ length: ASSETS }, (_, asset) => toCreation(asset + 1)),
  ...Array.from({ length: EVENTS }, (_, number) => toEvent(number + 1)),
];
const LOGS = RECORDS.map((record, number) => toRecordLog({ record }, number + 1));
const WAITING = Array.from({ length: 9 }, (_, number): UncommittedRecord => {
  const record = toEvent(EVENTS + 1 + number);
  const streamIdentity = assetOf(toAsset(EVENTS + 1 + number));
  return {
    sequence: number,
    tenantIdentity: ALPHA,
    streamIdentity,
    record,
    status: number === 3 ? 'FAILED' : 'PENDING',
  };
});

type EventFilter = AttributeFilter<'event_attributes' | 'asset_attributes' | 'asset.attributes'>;
const attribute = (map: EventFilter['map'], name: string, is: EventFilter['is'], value = ''): EventFilter => ({
  map,
  name,
  is,
  value,
});
const DENSE = attribute('event_attributes', 'dense', 'equal', 'yes');
const RARE = attribute('event_attributes', 'rare', 'present');
const time = (since: number | undefined, before: number | undefined, of: TimeFilter['time']): TimeFilter => ({
  time: of,
  sinceMs: since === undefined ? undefined : BEGIN_MS + since * 1_000,
  beforeMs: before === undefined ? undefined : BEGIN_MS + before * 1_000,
});

const QUERIES: Readonly<Record<string, Partial<EventQuery>>> = {
  'no condition': {},
  'a dense list': { attributes: [DENSE] },
  'a dense list and a sparse one': { attributes: [DENSE, RARE] },
  'everything outside a sparse list': { attributes: [{ ...RARE, is: 'absent' }] },
  'two halves that have nothing in common': {
    attributes: [
      attribute('event_attributes', 'parity', 'equal', '0'),
      attribute('event_attributes', 'parity', 'equal', '1'),
    ],
  },
  'one asset': { assetUuid: uuidOf(1) },
  'one asset and a sparse list': { assetUuid: uuidOf(1), attributes: [RARE] },
  'few assets': { attributes: [attribute('asset.attributes', 'few', 'equal', 'yes')] },
  'many assets': { attributes: [attribute('asset.attributes', 'kind', 'different', '1')] },
  'many assets, a list and a time': {
    attributes: [attribute('asset.attributes', 'kind', 'different', '1'), DENSE],
    times: [time(100, 2_000, 'timestamp_accepted')],
  },
  'assets that entered and left a list': { attributes: [attribute('asset.attributes', 'colour', 'equal', 'red')] },
  'a time within one page': { times: [time(1_000, 1_010, 'timestamp_accepted')] },
  'a declared time': {
    times: [time(500, undefined, 'timestamp_declared'), time(undefined, 2_500, 'timestamp_accepted')],
  },
  'the latest time': { times: [time(LATEST_SECOND - 1, undefined, 'timestamp_accepted')] },
  'the earliest times': { times: [time(undefined, EARLIEST_SECOND + 1, 'timestamp_accepted')] },
  'clocks that were wrong': { times: [time(undefined, -100, 'timestamp_accepted')] },
};

const CURSOR = { layoutVersion: LAYOUT_VERSION, contract: CONTRACT, blockNumber: 1, blockHash: toWord(1) };
const FIRST: PageQuery = { limit: 5, position: undefined, isCounted: true };

const toQuery = (conditions: Partial<EventQuery>, order: EventQuery['order'] = 'newest'): EventQuery => ({
  assetUuid: undefined,
  attributes: [],
  fields: [],
  times: [],
  order,
  ...conditions,
});

describe('a ledger of thousands of events', () => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  let model: NaiveView;
  before(async () => {
    index = await openIndex(await makeDirectory());
    await index.take(LOGS.slice(0, 5_000));
    // What these reads keep of the full chunk is used by those of the complete ledger.
    for (const conditions of Object.values(QUERIES)) await index.view.listEvents(ALPHA, toQuery(conditions), FIRST);
    await index.take(LOGS.slice(5_000));
    index.outbox.push(...WAITING);
    model = createNaiveView(
      LOGS.map((log) => ({ tenantIdentity: ALPHA, log })),
      WAITING,
      [ALPHA],
    );
  });
  after(() => index.store.close());

  for (const order of ['newest', 'oldestAccepted'] as const) {
    for (const [name, conditions] of Object.entries(QUERIES)) {
      it(`lists the same events as the model: ${name}, ${order}`, async () => {
        const query = toQuery(conditions, order);
        const wanted = model.listEvents(ALPHA, query);
        const limit = Math.max(3, Math.ceil(wanted.length / 3));
        const listIdentities = async (page: PageQuery): Promise<Page<string>> => {
          const { items, ...rest } = await index.view.listEvents(ALPHA, query, page);
          return { items: items.map(({ identity }) => identity), ...rest };
        };
        const identities = wanted.map(({ identity }) => identity);
        await expectPages(listIdentities, identities, { limit, isCounted: true });
        const first = await index.view.listEvents(ALPHA, query, { limit: 5, position: undefined, isCounted: false });
        expect(first.items).to.deep.equal(wanted.slice(0, 5));
      });
    }
  }

  it('reads each asset as it was at any time', async () => {
    for (const atMs of [-5_000, -1_000, 0, 255_000, 300_000, 1_500_000, 2_900_000, 9_000_000].map(
      (ms) => BEGIN_MS + ms,
    )) {
      for (const asset of [1, 2]) {
        const past = await index.view.readAssetAt(ALPHA, uuidOf(asset), atMs);
        expect(past).to.deep.equal(model.readAssetAt(ALPHA, uuidOf(asset), atMs));
      }
    }
  });

  it('lists the same assets as the model after all their changes', async () => {
    for (const value of ['red', 'blue', '']) {
      for (const is of ['equal', 'different'] as const) {
        const attributes = [{ map: 'attributes', name: 'colour', is, value }] as const;
        const query = { tracked: 'TRACKED', attributes, fields: [], order: 'newest' } as const;
        const wanted = model.listAssets(ALPHA, query);
        await expectPages((page) => index.view.listAssets(ALPHA, query, page), wanted, { limit: 17, isCounted: true });
      }
    }
  });

  it('reads only the lists of the newest chunks for a first page whose members in full chunks are known', async () => {
    const query = toQuery({ attributes: [DENSE] });
    const ranges: number[] = [];
    const { snapshot } = index.store;
    const watched: typeof snapshot = async () => {
      const opened = await snapshot();
      return {
        ...opened,
        readLast: (range, limit) => {
          ranges.push(chunkOf(range.gte!));
          return opened.readLast(range, limit);
        },
      };
    };
    await index.view.listEvents(ALPHA, query, FIRST);
    Object.assign(index.store, { snapshot: watched });
    const { total } = await index.view.listEvents(ALPHA, query, FIRST);
    Object.assign(index.store, { snapshot });
    expect(ranges).to.deep.equal([2]);
    expect(total).to.equal(model.listEvents(ALPHA, query).length);
  });

  it('forgets what it knows of full chunks when the index is wiped', async () => {
    index.outbox.splice(0);
    await index.store.wipe();
    for (const conditions of Object.values(QUERIES)) {
      const { items, total } = await index.view.listEvents(ALPHA, toQuery(conditions), FIRST);
      expect([items.length, total]).to.deep.equal([0, 0]);
    }
    await index.store.apply([{ key: counterKey(toKey(ALPHA), 'events'), value: EVENTS }], CURSOR);
    expect((await index.view.listEvents(ALPHA, toQuery({ attributes: [DENSE] }), FIRST)).total).to.equal(0);
  });
});
