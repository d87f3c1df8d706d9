// Every answer of the view, on random ledgers, equals that of a model that scans all records.
import { expect } from 'chai';
import fc from 'fast-check';
import { useDirectories } from '../../support/directories.ts';
import { expectAsset } from '../../support/expectAsset.ts';
import { expectPages } from '../../support/expectPages.ts';
import { expectPolicyEvents } from '../../support/expectPolicyEvents.ts';
import {
  APPLICATIONS,
  ASSETS,
  BLOBS,
  LOCATIONS,
  POLICIES,
  TENANTS,
  type Words,
  words,
} from '../../support/histories.ts';
import { type LedgerMoment, momentsOf } from '../../support/ledgers.ts';
import { createNaiveTenancy, type NaiveTenancy } from '../../support/naiveTenancy.ts';
import { createNaiveView, type NaiveView } from '../../support/naiveView.ts';
import { runs } from '../../support/propertyRuns.ts';
import {
  applicationQueriesOf,
  assetQueriesOf,
  eventQueriesOf,
  instantsOf,
  locationQueriesOf,
  policyQueriesOf,
} from '../../support/queries.ts';
import { hashOf, uuidOf } from '../../support/records.ts';
import { type OpenIndex, openIndex } from '../../support/viewFixture.ts';

const limits = fc.integer({ min: 1, max: 12 });
const tenants = fc.constantFrom(TENANTS[0]!, TENANTS[0]!, TENANTS[1]!);
const QUESTIONS = 20;
const VERSIONS = Array.from({ length: 60 }, (_, at) => at);

describe('ledger view against the model', () => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  beforeEach(async () => {
    index = await openIndex(await makeDirectory());
  });
  afterEach(() => index.store.close());

  const load = async ({ logs, outbox }: LedgerMoment): Promise<NaiveView & { tenancy: NaiveTenancy }> => {
    await index.clear();
    await index.take(logs.map(({ log }) => log));
    index.outbox.push(...outbox);
    return { ...createNaiveView(logs, outbox, TENANTS), tenancy: createNaiveTenancy(logs, outbox) };
  };

  const forAll = async <Q>(
    queriesOf: (of: Words) => fc.Arbitrary<Q>,
    holds: (
      model: NaiveView & { tenancy: NaiveTenancy },
      tenant: string,
      query: Q,
      paging: { limit: number; isCounted: boolean },
    ) => Promise<void>,
  ): Promise<void> => {
    const pagings = fc.record({ limit: limits, isCounted: fc.boolean() });
    const requests = words.chain((of) =>
      fc.tuple(
        momentsOf(of),
        fc.array(fc.tuple(tenants, queriesOf(of), pagings), { minLength: QUESTIONS, maxLength: QUESTIONS }),
      ),
    );
    const check = fc.asyncProperty(requests, async ([moment, questions]) => {
      const model = await load(moment);
      for (const [tenant, query, paging] of questions) await holds(model, tenant, query, paging);
    });
    await fc.assert(check, runs(40));
  };

  it('lists the same assets, in the same pages', () =>
    forAll(assetQueriesOf, (model, tenant, query, paging) =>
      expectPages((page) => index.view.listAssets(tenant, query, page), model.listAssets(tenant, query), paging),
    ));

  it('lists the same events, in the same pages', () =>
    forAll(eventQueriesOf, (model, tenant, query, paging) =>
      expectPages((page) => index.view.listEvents(tenant, query, page), model.listEvents(tenant, query), paging),
    ));

  it('lists the same locations, in the same pages', () =>
    forAll(locationQueriesOf, (model, tenant, query, paging) =>
      expectPages((page) => index.view.listLocations(tenant, query, page), model.listLocations(tenant, query), paging),
    ));

  it('lists the same policies, in the same pages', () =>
    forAll(policyQueriesOf, (model, tenant, query, paging) =>
      expectPages((page) => index.view.listPolicies(tenant, query, page), model.listPolicies(tenant, query), paging),
    ));

  it('lists the same applications, in the same pages, and finds the same tenants', () =>
    forAll(applicationQueriesOf, async (model, tenant, query, paging) => {
      const listed = model.tenancy.listApplications(tenant, query);
      await expectPages((page) => index.view.listApplications(tenant, query, page), listed, paging);
      for (const uuid of APPLICATIONS.map(uuidOf)) {
        expect(await index.view.readApplication(uuid)).to.deep.equal(model.tenancy.readApplication(uuid));
      }
      expect(await index.view.readTenant(tenant)).to.deep.equal(model.tenancy.readTenant(tenant));
    }));

  it('reads the same policy events of an asset, by type, at any time', () =>
    forAll(
      (of) => fc.record({ asset: fc.constantFrom(...ASSETS), atMs: instantsOf(of), types: fc.constant(of.texts) }),
      (model, tenant, query) => expectPolicyEvents(index.view, model, { ...query, tenant }),
    ));

  const blobQueriesOf = () =>
    fc.record({
      sha256: fc.constantFrom(1, 2, 3).map(hashOf),
      attachedByMax: fc.integer({ min: 1, max: 3 }),
    });
  it('lists the same blobs with the events that attach them, and finds the same contents', () =>
    forAll(blobQueriesOf, async (model, tenant, query, paging) => {
      await expectPages((page) => index.view.listBlobs(tenant, query, page), model.listBlobs(tenant, query), paging);
      expect(await index.view.readBlobBytes(tenant)).to.equal(model.readBlobBytes(tenant));
      expect(await index.view.isContentKnown(tenant, query.sha256)).to.equal(
        model.isContentKnown(tenant, query.sha256),
      );
    }));

  it('reads the same assets: now, at their creation, and at any time', () =>
    forAll(
      (of) => fc.tuple(fc.constantFrom(...ASSETS), instantsOf(of)),
      (model, tenant, [asset, atMs]) => expectAsset(index.view, model, { tenant, asset, atMs }),
    ));

  it('reads the same events, locations, versions, policies and blobs', () =>
    forAll(
      () => fc.constantFrom(...VERSIONS),
      async (model, tenant, number) => {
        const { view } = index;
        for (const uuid of ASSETS.map(uuidOf)) {
          const event = await view.readEvent(tenant, uuid, uuidOf(number));
          expect(event).to.deep.equal(model.readEvent(tenant, uuid, uuidOf(number)));
        }
        for (const uuid of LOCATIONS.map(uuidOf)) {
          expect(await view.readLocation(tenant, uuid)).to.deep.equal(model.readLocation(tenant, uuid));
          const version = await view.readLocationVersion(tenant, uuid, uuidOf(number));
          expect(version).to.deep.equal(model.readLocationVersion(tenant, uuid, uuidOf(number)));
        }
        for (const uuid of POLICIES.map(uuidOf)) {
          expect(await view.readPolicy(tenant, uuid)).to.deep.equal(model.readPolicy(tenant, uuid));
          const version = await view.readPolicyVersion(tenant, uuid, uuidOf(number));
          expect(version).to.deep.equal(model.readPolicyVersion(tenant, uuid, uuidOf(number)));
        }
        for (const uuid of BLOBS.map(uuidOf)) {
          expect(await view.readBlob(tenant, uuid)).to.deep.equal(model.readBlob(tenant, uuid));
        }
      },
    ));
});
