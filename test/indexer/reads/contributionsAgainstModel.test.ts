// Every answer about events that other tenants contributed, on random ledgers, equals that of a model that looks at all
// records before each contribution.
import { expect } from 'chai';
import fc from 'fast-check';
import type { LedgerView } from '../../../indexer/ledgerView.ts';
import { useDirectories } from '../../support/directories.ts';
import { expectAsset } from '../../support/expectAsset.ts';
import { expectPages } from '../../support/expectPages.ts';
import { expectPolicyEvents } from '../../support/expectPolicyEvents.ts';
import { ASSETS, type Words, words } from '../../support/histories.ts';
import { toNaiveLog } from '../../support/ledgers.ts';
import type { NaiveLog } from '../../support/naiveContributions.ts';
import { createNaiveView, type NaiveView } from '../../support/naiveView.ts';
import { runs } from '../../support/propertyRuns.ts';
import { assetQueriesOf, eventQueriesOf, instantsOf } from '../../support/queries.ts';
import { hashOf, uuidOf } from '../../support/records.ts';
import { SHARING_TENANTS, sharedHistoriesOf } from '../../support/sharedHistories.ts';
import { type OpenIndex, openIndex } from '../../support/viewFixture.ts';

const QUESTIONS = 12;
const NUMBERS = Array.from({ length: 46 }, (_, at) => at);

describe('contributions against the model', () => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  let contributed = 0;
  beforeEach(async () => {
    index = await openIndex(await makeDirectory());
    contributed = 0;
  });
  afterEach(() => index.store.close());

  const load = async (logs: readonly NaiveLog[]): Promise<NaiveView> => {
    await index.clear();
    await index.take(logs.map(({ log }) => log));
    return createNaiveView(logs, [], SHARING_TENANTS);
  };

  const countContributed = (model: NaiveView): number =>
    SHARING_TENANTS.flatMap((tenant) =>
      model.listEvents(tenant, { assetUuid: undefined, attributes: [], fields: [], times: [], order: 'newest' }),
    ).filter(({ contribution }) => contribution !== undefined).length;

  const forAll = async <Q>(
    queriesOf: (of: Words) => fc.Arbitrary<Q>,
    holds: (model: NaiveView, tenant: string, query: Q, limit: number) => Promise<void>,
  ): Promise<void> => {
    const tenants = fc.constantFrom(...SHARING_TENANTS, SHARING_TENANTS[0]!, SHARING_TENANTS[0]!);
    const requests = words.chain((of) =>
      fc.tuple(
        sharedHistoriesOf(of),
        fc.array(fc.tuple(tenants, queriesOf(of), fc.integer({ min: 1, max: 12 })), {
          minLength: QUESTIONS,
          maxLength: QUESTIONS,
        }),
      ),
    );
    const check = fc.asyncProperty(requests, async ([history, questions]) => {
      const model = await load(history.map(toNaiveLog));
      contributed += countContributed(model);
      for (const [tenant, query, limit] of questions) await holds(model, tenant, query, limit);
    });
    await fc.assert(check, runs(20));

    expect(contributed).to.be.greaterThan(20);
  };

  const encodedOf =
    (view: LedgerView, tenant: string, query: Parameters<LedgerView['listEvents']>[1]) =>
    async (page: Parameters<LedgerView['listEvents']>[2]) => {
      const { json, ...rest } = await view.encodeEventPage(tenant, query, page);
      return { ...rest, items: JSON.parse(Buffer.from(json).toString()) };
    };

  it('lists the same events, in the same pages, also as JSON', () =>
    forAll(eventQueriesOf, async (model, tenant, query, limit) => {
      const listed = model.listEvents(tenant, query);
      const paging = { limit, isCounted: true };
      await expectPages((page) => index.view.listEvents(tenant, query, page), listed, paging);
      await expectPages(encodedOf(index.view, tenant, query), listed, paging);
    }));

  it('lists the same assets, in the same pages', () =>
    forAll(assetQueriesOf, (model, tenant, query, limit) =>
      expectPages((page) => index.view.listAssets(tenant, query, page), model.listAssets(tenant, query), {
        limit,
        isCounted: true,
      }),
    ));

  it('reads the same assets: now, at their creation, and at any time', () =>
    forAll(
      (of) => fc.tuple(fc.constantFrom(...ASSETS), instantsOf(of)),
      (model, tenant, [asset, atMs]) => expectAsset(index.view, model, { tenant, asset, atMs }),
    ));

  it('reads the same policy events of an asset, by type, at any time', () =>
    forAll(
      (of) => fc.record({ asset: fc.constantFrom(...ASSETS), atMs: instantsOf(of), types: fc.constant(of.texts) }),
      (model, tenant, query) => expectPolicyEvents(index.view, model, { ...query, tenant }),
    ));

  it('reads and exports the same events', () =>
    forAll(
      () => fc.constantFrom(...ASSETS),
      async (model, tenant, asset) => {
        const { view } = index;
        const query = { attributes: [], fields: [], times: [], order: 'newest' as const };
        for (const number of NUMBERS) {
          const event = await view.readEvent(tenant, uuidOf(asset), uuidOf(number));
          expect(event).to.deep.equal(model.readEvent(tenant, uuidOf(asset), uuidOf(number)));
        }
        for (const assetUuid of [undefined, uuidOf(asset)]) {
          const span = (await view.readEventSpan(tenant, assetUuid, undefined))!;
          const { events } = await view.readSpanPage(tenant, assetUuid, span, 100);
          const listed = model.listEvents(tenant, { ...query, assetUuid }).reverse();
          expect(events.map((json) => JSON.parse(Buffer.from(json).toString()))).to.deep.equal(listed);
          expect(span.count).to.equal(listed.length);
          for (const [at, { identity }] of listed.entries()) {
            expect((await view.readEventSpan(tenant, assetUuid, identity))?.count).to.equal(listed.length - at - 1);
          }
        }
      },
    ));

  it('lists the same events where the index has only some of the tenants', async () => {
    const query = { assetUuid: undefined, attributes: [], fields: [], times: [], order: 'newest' as const };
    const check = fc.asyncProperty(
      words.chain(sharedHistoriesOf),
      fc.constantFrom(...SHARING_TENANTS),
      async (history, left) => {
        const model = await load(history.map(toNaiveLog).filter(({ tenantIdentity }) => tenantIdentity !== left));
        for (const tenant of SHARING_TENANTS)
          await expectPages((page) => index.view.listEvents(tenant, query, page), model.listEvents(tenant, query), {
            limit: 10,
            isCounted: true,
          });
      },
    );
    await fc.assert(check, runs(15));
  });

  it('lists the same blobs, whatever other tenants attach', () =>
    forAll(
      () => fc.record({ sha256: fc.constantFrom(1, 2, 3).map(hashOf), attachedByMax: fc.integer({ min: 1, max: 3 }) }),
      (model, tenant, query, limit) =>
        expectPages((page) => index.view.listBlobs(tenant, query, page), model.listBlobs(tenant, query), {
          limit,
          isCounted: true,
        }),
    ));
});
