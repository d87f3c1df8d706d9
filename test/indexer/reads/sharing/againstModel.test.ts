// Everything that is shared between three tenants, on random ledgers, equals what a model finds in all records.
import { expect } from 'chai';
import fc from 'fast-check';
import type { PageQuery } from '../../../../indexer/ledgerView.ts';
import type { SharedReader } from '../../../../indexer/sharedView.ts';
import { LedgerError } from '../../../../ledger/errors.ts';
import { toUuid, toVersionIdentity } from '../../../../ledger/identity.ts';
import type { AccessPermission, AccessPolicyRecord } from '../../../../ledger/records/accessPolicy.ts';
import { isCreation } from '../../../../ledger/records/event.ts';
import { useDirectories } from '../../../support/directories.ts';
import { expectPages } from '../../../support/expectPages.ts';
import { ASSETS, type Words, words } from '../../../support/histories.ts';
import { type LedgerMoment, momentsOf, toNaiveLog } from '../../../support/ledgers.ts';
import type { NaiveLog } from '../../../support/naiveContributions.ts';
import { createNaiveSharedView, type NaiveSharing } from '../../../support/naiveSharing.ts';
import { createNaiveView } from '../../../support/naiveView.ts';
import { runs } from '../../../support/propertyRuns.ts';
import { assetQueriesOf, eventQueriesOf, instantsOf } from '../../../support/queries.ts';
import type { WrittenRecord } from '../../../support/recordLogs.ts';
import {
  aCreation,
  accessPolicyOf,
  aLocationRecord,
  anAccessPolicyRecord,
  anEvent,
  aPermission,
  aSubjectRecord,
  aTenantRecord,
  eventOf,
  subjectOf,
  uuidOf,
} from '../../../support/records.ts';
import { SHARING_TENANTS, walletKeyOf, walletOf } from '../../../support/sharedHistories.ts';
import { type OpenIndex, openIndex } from '../../../support/viewFixture.ts';

/** A ledger, and the questions that are asked about it. */
const LEDGERS = 25;
const QUESTIONS = 100;

/** Subjects by number: one stands for each tenant, number 3 is ambiguous, number 4 stands for none. */
const WALLETS = [[0], [1], [2], [1, 2], [9]];

const standsFor: NaiveSharing['standsFor'] = (owner, subject) => {
  const number = WALLETS.findIndex((_, at) => subjectOf(at) === subject);
  const tenant = number < 3 ? SHARING_TENANTS[number] : undefined;
  return tenant === owner ? undefined : tenant;
};

// Each tenant has an author of its own, and the same subjects.
const FOUNDATION: readonly WrittenRecord[] = SHARING_TENANTS.flatMap((tenantIdentity, at): WrittenRecord[] => [
  { tenantIdentity, record: aTenantRecord(tenantIdentity) },
  { tenantIdentity, record: aLocationRecord(9), changed: { author: walletOf(at + 1) } },
  ...WALLETS.map((wallets, number) => ({
    tenantIdentity,
    record: aSubjectRecord(number, { wallet_pub_key: wallets.map((wallet) => walletKeyOf(wallet + 1)) }),
  })),
]);

const policiesOf = ({ names, texts }: Words): fc.Arbitrary<AccessPolicyRecord> => {
  const usable = names.filter((name) => name !== '' && !/[=:!]/.test(name));
  const conditions = fc
    .tuple(fc.constantFrom(...usable, 'n'), fc.constantFrom('=', '!=', '!='), fc.constantFrom(...texts, '*'))
    .filter(([, , value]) => value !== '')
    .map((parts) => `attributes.${parts.join('')}`);
  const attributes = fc.array(fc.constantFrom(...names, ...usable, '*', '*'), { maxLength: 4 });
  const types = fc.array(fc.constantFrom(...texts, '*', '*'), { maxLength: 3 });
  const permissions: fc.Arbitrary<AccessPermission> = fc
    .record({
      subjects: fc.array(fc.constantFrom(...WALLETS.map((_, at) => subjectOf(at))), { maxLength: 3 }),
      user_attributes: fc.constantFrom([], [], [{ or: ['email=a', 'email=b'] }]),
      include_attributes: fc.constantFrom([], [], ['n', 'colour']),
      asset_attributes_read: attributes,
      event_arc_display_type_read: types,
    })
    .map((fields) => aPermission(fields));
  return fc
    .record({
      filters: fc.array(fc.record({ or: fc.array(conditions, { minLength: 1, maxLength: 2 }) }), { maxLength: 1 }),
      access_permissions: fc.array(permissions, { minLength: 1, maxLength: 3 }),
      is_deleted: fc.constantFrom(false, false, false, true),
    })
    .map((fields) => anAccessPolicyRecord(1, fields));
};

const policySets = (of: Words): fc.Arbitrary<WrittenRecord[]> =>
  fc.array(fc.tuple(fc.constantFrom(...SHARING_TENANTS), policiesOf(of)), { minLength: 1, maxLength: 6 }).map((given) =>
    given.map(([tenantIdentity, record], at) => ({
      tenantIdentity,
      record: { ...record, identity: toVersionIdentity(accessPolicyOf(at), uuidOf(1)) },
    })),
  );

/** The assets of each tenant, by number: those with the same number have the same UUID. */
const OWNED: readonly (readonly number[])[] = [[1, 2], [2, 3], [3]];

// Two events of each asset: its creation, and one that sets an attribute.
const assetsOf = ({ names, texts }: Words): fc.Arbitrary<WrittenRecord[]> => {
  const attributes = fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...texts), { maxKeys: 3 });
  const fields = fc.record({ asset_attributes: attributes, arc_display_type: fc.constantFrom(...texts) });
  const owned = OWNED.flatMap((numbers, at) =>
    numbers.map((number) => ({ tenantIdentity: SHARING_TENANTS[at]!, number })),
  );
  return fc.array(fields, { minLength: 2 * owned.length, maxLength: 2 * owned.length }).map((given) => {
    const toFields = ({ asset_attributes, arc_display_type }: (typeof given)[number]) => ({
      asset_attributes,
      event_attributes: { arc_display_type },
    });
    return owned.flatMap(({ tenantIdentity, number }, at): WrittenRecord[] => [
      { tenantIdentity, record: aCreation({ identity: eventOf(number, 0x80), ...toFields(given[2 * at]!) }) },
      { tenantIdentity, record: anEvent({ identity: eventOf(number, 0x81), ...toFields(given[2 * at + 1]!) }) },
    ]);
  });
};

interface World {
  readonly moment: LedgerMoment;
  readonly sharing: NaiveSharing;
}

// The tenants exist before the history begins, so records count that the history's own server took for ignored ones. It
// would not have accepted the creation of an asset that exists.
const withoutSecondCreations = (logs: readonly NaiveLog[], outbox: LedgerMoment['outbox']): LedgerMoment['outbox'] => {
  const view = createNaiveView(logs, [], SHARING_TENANTS);
  return outbox.filter(({ tenantIdentity, streamIdentity, record }) => {
    const isSecond = view.readAsset(tenantIdentity, toUuid(streamIdentity)) !== undefined;
    return record.type !== 'event' || !isCreation(record) || !isSecond;
  });
};

const toWorld = (moment: LedgerMoment, policies: readonly WrittenRecord[], assets: readonly WrittenRecord[]): World => {
  const founding = [...FOUNDATION, ...assets].map(toNaiveLog);
  const blocks = founding.at(-1)!.log.blockNumber;
  const later = moment.logs.map(({ log, ...rest }) => ({
    ...rest,
    log: { ...log, blockNumber: log.blockNumber + blocks },
  }));
  const logs: NaiveLog[] = [...founding, ...later];
  for (const written of policies) logs.push(toNaiveLog(written, logs.length + 2));
  const inEffect = policies
    .map(({ tenantIdentity, record }) => ({ owner: tenantIdentity!, record: record as AccessPolicyRecord }))
    .filter(({ record }) => !record.is_deleted);
  const byOwner = Map.groupBy(inEffect, ({ owner }) => owner);
  return {
    moment: { logs, outbox: withoutSecondCreations(logs, moment.outbox) },
    sharing: {
      tenants: SHARING_TENANTS,
      standsFor,
      policies: new Map([...byOwner].map(([owner, all]) => [owner, all.map(({ record }) => record)])),
    },
  };
};

const readers: fc.Arbitrary<SharedReader> = fc.record({
  claims: fc.constantFrom({}, { email: 'a' }, { email: 'b' }, { email: 'c' }),
  isOwnRestricted: fc.boolean(),
});

const OF_TENANT = fc.constantFrom(undefined, undefined, ...SHARING_TENANTS);

// What a read resolves to, or the code of its refusal.
const outcomeOf = async (read: () => unknown): Promise<unknown> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LedgerError) return error.code;
    throw error;
  }
};

describe('shared records against the model', () => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  beforeEach(async () => {
    index = await openIndex(await makeDirectory());
  });
  afterEach(() => index.store.close());

  const load = async ({ moment: { logs, outbox } }: World) => {
    await index.clear();
    await index.take(logs.map(({ log }) => log));
    index.outbox.push(...outbox);
    return {
      committed: createNaiveView(logs, [], SHARING_TENANTS),
      own: createNaiveView(logs, outbox, SHARING_TENANTS),
    };
  };

  const forAll = async <Q>(
    queriesOf: (of: Words) => fc.Arbitrary<Q>,
    holds: (
      model: ReturnType<typeof createNaiveSharedView>,
      asking: { tenant: string; reader: SharedReader; limit: number; isCounted: boolean },
      query: Q,
    ) => Promise<void>,
  ): Promise<void> => {
    const askings = fc.record({
      tenant: fc.constantFrom(...SHARING_TENANTS),
      reader: readers,
      limit: fc.integer({ min: 1, max: 12 }),
      isCounted: fc.boolean(),
    });
    const requests = words.chain((of) =>
      fc.tuple(
        momentsOf(of),
        policySets(of),
        assetsOf(of),
        fc.array(fc.tuple(askings, queriesOf(of)), { minLength: QUESTIONS, maxLength: QUESTIONS }),
      ),
    );
    const check = fc.asyncProperty(requests, async ([moment, policies, assets, questions]) => {
      const world = toWorld(moment, policies, assets);
      const views = await load(world);
      for (const [asking, query] of questions) {
        await holds(createNaiveSharedView(world.sharing, views, asking), asking, query);
      }
    });
    await fc.assert(check, runs(LEDGERS));
  };

  it('lists the same assets, in the same pages', () =>
    forAll(
      (of) => fc.tuple(assetQueriesOf(of), OF_TENANT),
      (model, { tenant, reader, ...paging }, [given, ofTenant]) => {
        const query = { ...given, reader, ofTenant };
        return expectPages((page) => index.view.listAssets(tenant, query, page), model.listAssets(query), paging);
      },
    ));

  it('lists the same events, in the same pages', () =>
    forAll(
      (of) => fc.tuple(eventQueriesOf(of), OF_TENANT),
      async (model, { tenant, reader, ...paging }, [given, ofTenant]) => {
        const query = { ...given, reader, ofTenant };
        const list = (page: PageQuery) => index.view.listEvents(tenant, query, page);
        const expected = await outcomeOf(() => model.listEvents(query));
        if (Array.isArray(expected)) return expectPages(list, expected, paging);
        expect(await outcomeOf(() => list({ limit: 1, position: undefined, isCounted: true }))).to.equal(expected);
      },
    ));

  it('reads the same assets and events, now and in the past', () =>
    forAll(
      (of) => fc.tuple(instantsOf(of), OF_TENANT),
      async (model, { tenant, reader }, [atMs, ownerIdentity]) => {
        const { view } = index;
        const expectSame = async (read: () => unknown, expected: () => unknown): Promise<void> => {
          expect(await outcomeOf(read)).to.deep.equal(await outcomeOf(expected));
        };
        for (const number of ASSETS) {
          const assetUuid = uuidOf(number);
          const name = { assetUuid, ownerIdentity };
          await expectSame(
            () => view.readSharedAsset(tenant, reader, name),
            () => model.readAsset(assetUuid, ownerIdentity),
          );
          await expectSame(
            () => view.readSharedAsset(tenant, reader, name, atMs),
            () => model.readAssetAt(assetUuid, atMs, ownerIdentity),
          );
          for (const event of ASSETS.map(uuidOf))
            await expectSame(
              () => view.readSharedEvent(tenant, reader, name, event),
              () => model.readEvent(assetUuid, event, ownerIdentity),
            );
        }
      },
    ));
});
