// What a client sees that reads all pages of a list while records are written.
import { expect } from 'chai';
import fc from 'fast-check';
import type {
  AssetQuery,
  EventQuery,
  LocationQuery,
  Page,
  PageQuery,
  PolicyQuery,
} from '../../../indexer/ledgerView.ts';
import { toStreamIdentityOf, toVersionIdentity } from '../../../ledger/identity.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { createListWriter, type Step } from '../../support/listWriter.ts';
import { runs } from '../../support/propertyRuns.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import {
  ALPHA,
  aBlobRecord,
  aCreation,
  aLocationRecord,
  anEvent,
  aPolicyRecord,
  aTenantRecord,
  eventOf,
  hashOf,
  locationOf,
  policyOf,
  uuidOf,
} from '../../support/records.ts';
import { type OpenIndex, openIndex } from '../../support/viewFixture.ts';

const FIRST_MS = Date.parse('2026-11-20T12:00:00.000Z');
const ASSETS_OF_EVENTS = 3;
const NAMES = ['mint', 'sage', 'mint', ''];

// Two records each are accepted in the same millisecond.
const acceptedAt = (number: number): string => new Date(FIRST_MS + Math.floor(number / 2)).toISOString();

const MAKERS: Readonly<Record<string, (number: number) => LedgerRecord>> = {
  event: (number) =>
    anEvent({
      identity: eventOf(1 + (number % ASSETS_OF_EVENTS), number),
      timestamp_accepted: acceptedAt(number),
      event_attributes: { parity: String(number % 2) },
    }),
  creation: (number) => aCreation({ identity: eventOf(1000 + number, number), timestamp_accepted: acceptedAt(number) }),
  location: (number) =>
    aLocationRecord(number, {
      identity: toVersionIdentity(locationOf(number), uuidOf(number)),
      timestamp_accepted: acceptedAt(number),
      display_name: NAMES[number % NAMES.length]!,
    }),
  // Every third record deletes the policy of the previous one.
  policy: (number) => {
    const policy = number % 3 === 0 ? number - 1 : number;
    return aPolicyRecord(policy, {
      identity: toVersionIdentity(policyOf(policy), uuidOf(number)),
      timestamp_accepted: acceptedAt(number),
      display_name: NAMES[policy % NAMES.length]!,
      is_deleted: policy !== number,
    });
  },
  blob: (number) => aBlobRecord(number, { sha256: hashOf(7), timestamp_accepted: acceptedAt(number) }),
};

const EVENTS: EventQuery = { assetUuid: undefined, attributes: [], fields: [], times: [], order: 'newest' };
const ASSETS: AssetQuery = { tracked: 'TRACKED', attributes: [], fields: [], order: 'newest' };
const LOCATIONS: LocationQuery = { attributes: [], fields: [], order: 'newest' };
const POLICIES: PolicyQuery = { fields: [], order: 'newest' };
const EVEN = { map: 'event_attributes', name: 'parity', is: 'equal', value: '0' } as const;

interface WalkedList {
  readonly recordType: string;
  list(view: OpenIndex['view'], page: PageQuery): Promise<Page<{ readonly identity: string }>>;
}

const LISTS: Readonly<Record<string, WalkedList>> = {
  'all events, newest first': { recordType: 'event', list: (view, page) => view.listEvents(ALPHA, EVENTS, page) },
  'the events of an asset, newest first': {
    recordType: 'event',
    list: (view, page) => view.listEvents(ALPHA, { ...EVENTS, assetUuid: uuidOf(1) }, page),
  },
  'events that meet a condition': {
    recordType: 'event',
    list: (view, page) => view.listEvents(ALPHA, { ...EVENTS, attributes: [EVEN] }, page),
  },
  'events, oldest acceptance first': {
    recordType: 'event',
    list: (view, page) => view.listEvents(ALPHA, { ...EVENTS, order: 'oldestAccepted' }, page),
  },
  assets: { recordType: 'creation', list: (view, page) => view.listAssets(ALPHA, ASSETS, page) },
  locations: { recordType: 'location', list: (view, page) => view.listLocations(ALPHA, LOCATIONS, page) },
  'locations by name': {
    recordType: 'location',
    list: (view, page) => view.listLocations(ALPHA, { ...LOCATIONS, order: 'displayName' }, page),
  },
  policies: { recordType: 'policy', list: (view, page) => view.listPolicies(ALPHA, POLICIES, page) },
  'policies by name': {
    recordType: 'policy',
    list: (view, page) => view.listPolicies(ALPHA, { ...POLICIES, order: 'displayName' }, page),
  },
  blobs: {
    recordType: 'blob',
    list: async (view, page) => {
      const { items, ...rest } = await view.listBlobs(ALPHA, { sha256: hashOf(7), attachedByMax: 1 }, page);
      return { items: items.map(({ blob }) => blob), ...rest };
    },
  },
};

const stepsOf = (...steps: Step[]): fc.Arbitrary<Step[]> =>
  fc.array(fc.constantFrom(...steps), { maxLength: 8, size: 'max' });

describe('pages of a list that grows', () => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  beforeEach(async () => {
    index = await openIndex(await makeDirectory());
  });
  afterEach(() => index.store.close());

  const creations = [1, 2, 3].map((asset) => aCreation({ identity: eventOf(asset, 0) }));
  const takeFirst = (): Promise<void> =>
    index.take([aTenantRecord(ALPHA), ...creations].map((record, at) => toRecordLog({ record }, 1 + at)));

  const walk = async (
    list: (page: PageQuery) => Promise<Page<{ readonly identity: string }>>,
    limit: number,
    between: (page: number) => Promise<void>,
  ): Promise<string[]> => {
    const seen: string[] = [];
    let position: string | undefined;
    for (let page = 0; page === 0 || position !== undefined; page += 1) {
      const { items, nextPosition } = await list({ limit, position, isCounted: false });
      seen.push(...items.map(({ identity }) => identity));
      position = nextPosition;
      await between(page);
    }
    return seen;
  };

  const everyStep: readonly (readonly [string, readonly Step[]])[] = [
    ['are accepted and committed', ['accept', 'commit', 'commit', 'remove']],
    ['are accepted, and committed in another order', ['accept', 'commit', 'overtake', 'overtake', 'remove']],
    ['are accepted, committed in another order and refused', ['accept', 'commit', 'overtake', 'fail', 'remove']],
  ];
  for (const [what, steps] of everyStep) {
    for (const [name, { recordType, list }] of Object.entries(LISTS)) {
      it(`of ${name} show each record that exists at the start exactly once while records ${what}`, async () => {
        const walks = fc.record({
          before: fc.array(fc.constantFrom<Step>('accept', 'accept', ...steps), { maxLength: 20, size: 'max' }),
          between: fc.array(stepsOf(...steps), { maxLength: 12, size: 'max' }),
          limit: fc.integer({ min: 1, max: 6 }),
        });
        const check = fc.asyncProperty(walks, async ({ before, between, limit }) => {
          await index.clear();
          await takeFirst();
          const writer = createListWriter(index, MAKERS[recordType]!);
          for (const step of before) await writer[step]();
          const read = (page: PageQuery) => list(index.view, page);
          const identitiesOf = async () => {
            const { items } = await read({ limit: 999, position: undefined, isCounted: false });
            return items.map(({ identity }) => identity);
          };
          // Records that are refused or deleted meanwhile may be missed, even if their deletion is refused later.
          let always = await identitiesOf();
          const seen = await walk(read, limit, async (page) => {
            for (const step of between[page] ?? []) await writer[step]();
            const now = new Set(await identitiesOf());
            always = always.filter((identity) => now.has(identity));
          });
          expect([...new Set(seen)], 'twice').to.deep.equal(seen);
          expect(
            always.filter((identity) => !seen.includes(identity)),
            'never',
          ).to.deep.equal([]);
        });
        await fc.assert(check, runs(20));
      });
    }
  }

  const begin = async (name: string): Promise<ReturnType<typeof createListWriter>> => {
    await takeFirst();
    return createListWriter(index, MAKERS[name]!);
  };
  const repeat = async (count: number, step: () => Promise<void> | void): Promise<void> => {
    for (let at = 0; at < count; at += 1) await step();
  };

  // By acceptance, and by identity within a millisecond.
  const newestFirst = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => MAKERS.event!(1 + at))
      .sort((a, b) => (`${b.timestamp_accepted} ${b.identity}` < `${a.timestamp_accepted} ${a.identity}` ? -1 : 1))
      .map(({ identity }) => identity);

  it('show a pending record once if it is committed between pages, after any number of refused ones', async () => {
    const writer = await begin('event');
    await repeat(7, writer.accept);
    await repeat(6, writer.fail);
    const seen = await walk(
      (page) => index.view.listEvents(ALPHA, EVENTS, page),
      5,
      async (page) => {
        if (page === 0) await writer.commit();
      },
    );
    expect(seen).to.deep.equal([...newestFirst(7), ...creations.map(({ identity }) => identity).reverse()]);
  });

  it('show pending records once if the older are refused and the newer committed between pages', async () => {
    const writer = await begin('event');
    await repeat(8, writer.accept);
    const seen = await walk(
      (page) => index.view.listEvents(ALPHA, EVENTS, page),
      7,
      async (page) => {
        if (page > 0) return;
        await repeat(6, writer.fail);
        await repeat(2, writer.commit);
      },
    );
    expect(seen).to.deep.equal([...newestFirst(8), ...creations.map(({ identity }) => identity).reverse()]);
  });

  it('show a record once that is committed after a newer one of another asset', async () => {
    const writer = await begin('event');
    await repeat(6, writer.accept);
    const seen = await walk(
      (page) => index.view.listEvents(ALPHA, EVENTS, page),
      2,
      async (page) => {
        if (page === 0) await repeat(3, writer.overtake);
        if (page === 1) await repeat(3, writer.commit);
      },
    );
    expect(seen).to.deep.equal([...newestFirst(6), ...creations.map(({ identity }) => identity).reverse()]);
  });

  it('continue where they were when the index and the outbox were opened again, and only newer records were accepted', async () => {
    const writer = await begin('event');
    await repeat(4, writer.accept);
    const first = await index.view.listEvents(ALPHA, EVENTS, { limit: 3, position: undefined, isCounted: false });
    await repeat(4, writer.commit);
    index.outbox.splice(0);
    const newer = anEvent({ identity: eventOf(1, 99), timestamp_accepted: acceptedAt(99) });
    const entry = { tenantIdentity: ALPHA, streamIdentity: toStreamIdentityOf(newer), record: newer };
    index.outbox.push({ ...entry, sequence: 1, status: 'PENDING' });
    const { items } = await index.view.listEvents(ALPHA, EVENTS, {
      limit: 9,
      position: first.nextPosition,
      isCounted: false,
    });
    const seen = [...first.items, ...items].map(({ identity }) => identity);
    expect(seen).to.deep.equal([...newestFirst(4), ...creations.map(({ identity }) => identity).reverse()]);
  });

  it('show a location whose first version is refused between pages and whose second is pending and then committed', async () => {
    await begin('location');
    const versions = [1, 2, 3, 1].map((location, at) => {
      const identity = toVersionIdentity(locationOf(location), uuidOf(100 + at));
      return aLocationRecord(location, { identity, timestamp_accepted: acceptedAt(2 * at) });
    });
    for (const [at, record] of versions.entries()) {
      const entry = { sequence: at, tenantIdentity: ALPHA, streamIdentity: toStreamIdentityOf(record), record };
      index.outbox.push({ ...entry, status: 'PENDING' });
    }
    const seen = await walk(
      (page) => index.view.listLocations(ALPHA, LOCATIONS, page),
      1,
      async (page) => {
        if (page === 0) index.outbox[0] = { ...index.outbox[0]!, status: 'FAILED' };
        if (page === 1) await index.take([toRecordLog({ record: versions[3]! }, 10)]);
      },
    );
    expect(seen).to.deep.equal([3, 2, 1].map(locationOf));
  });
});
