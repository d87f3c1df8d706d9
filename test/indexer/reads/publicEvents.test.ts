// The list of the events of all public assets, on random ledgers of several tenants, equals what a model finds in all
// records.
import { expect } from 'chai';
import fc from 'fast-check';
import type { EventQuery, Page, PageQuery } from '../../../indexer/ledgerView.ts';
import { isRecordRow } from '../../../indexer/rows/recordRow.ts';
import { encodePublicEvent } from '../../../indexer/rows/rows.ts';
import { type AssetSettings, type EventResource, withoutPrincipals } from '../../../ledger/records/event.ts';
import { useDirectories } from '../../support/directories.ts';
import { expectPages } from '../../support/expectPages.ts';
import { ASSETS, TENANTS, words } from '../../support/histories.ts';
import { momentsOf } from '../../support/ledgers.ts';
import { byAcceptance } from '../../support/naiveQueries.ts';
import { createNaiveView, type NaiveView } from '../../support/naiveView.ts';
import { runs } from '../../support/propertyRuns.ts';
import { eventQueriesOf } from '../../support/queries.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord, BETA, eventOf, uuidOf } from '../../support/records.ts';
import { type OpenIndex, openIndex, readPages } from '../../support/viewFixture.ts';

const QUESTIONS = 20;
const EVERYTHING: EventQuery = { assetUuid: undefined, attributes: [], fields: [], times: [], order: 'newest' };
const IS_PUBLIC = { ...aCreation().asset_settings, public: true } as AssetSettings;

const byPositionDescending = (a: EventResource, b: EventResource): number =>
  b.block_number - a.block_number || b.log_index - a.log_index;

// The events of each public UUID, of the tenant that it belongs to.
const listPublic = (model: NaiveView, query: EventQuery): EventResource[] => {
  const isAboutPrincipals = query.fields.some(({ field }) => field.startsWith('principal_'));
  if (isAboutPrincipals) return [];
  const found = ASSETS.flatMap((number) => {
    const assetUuid = uuidOf(number);
    const tenant = model.readPublicTenant(assetUuid);
    return tenant === undefined ? [] : model.listEvents(tenant, { ...query, assetUuid });
  });
  return found.map(withoutPrincipals).sort(query.order === 'newest' ? byPositionDescending : byAcceptance);
};

describe('the list of all public events', () => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  beforeEach(async () => {
    index = await openIndex(await makeDirectory());
  });
  afterEach(() => index.store.close());
  const listPage = async (query: EventQuery, page: PageQuery): Promise<Page<EventResource>> => {
    const { json, ...rest } = await index.view.encodePublicEventPage('', query, page);
    return { ...rest, items: JSON.parse(Buffer.from(json).toString()) as EventResource[] };
  };

  it('has the committed events of all public assets, in the pages of the model', async () => {
    const requests = words.chain((of) =>
      fc.tuple(
        momentsOf(of),
        fc.array(
          fc.tuple(
            eventQueriesOf(of).map((query) => ({ ...query, assetUuid: undefined })),
            fc.record({ limit: fc.integer({ min: 1, max: 12 }), isCounted: fc.boolean() }),
          ),
          { minLength: QUESTIONS, maxLength: QUESTIONS },
        ),
      ),
    );
    const check = fc.asyncProperty(requests, async ([{ logs, outbox }, questions]) => {
      await index.clear();
      await index.take(logs.map(({ log }) => log));
      index.outbox.push(...outbox);
      const model = createNaiveView(logs, [], TENANTS);
      for (const [query, paging] of questions) {
        await expectPages((page) => listPage(query, page), listPublic(model, query), paging);
      }
    });
    await fc.assert(check, runs(100));
  });

  it('has nothing of another tenant that published the same UUID later', async () => {
    const publish = (tenantIdentity: string, colour: string) => {
      const asset_attributes = { colour };
      return { tenantIdentity, record: aCreation({ asset_settings: IS_PUBLIC, asset_attributes }) };
    };
    const later = { tenantIdentity: BETA, record: anEvent({ identity: eventOf(1, 9) }) };
    const written = [
      { tenantIdentity: ALPHA, record: aTenantRecord(ALPHA) },
      { tenantIdentity: BETA, record: aTenantRecord(BETA) },
      publish(ALPHA, 'red'),
      publish(BETA, 'blue'),
      later,
    ];
    await index.take(written.map((each, at) => toRecordLog(each, at + 1)));
    const pages = await readPages((page) => listPage(EVERYTHING, page), 1);
    const found = pages.flatMap(({ items }) => items);
    expect(found.map(({ tenant_identity }) => tenant_identity)).to.deep.equal([ALPHA]);
    expect(pages.map(({ total }) => total)).to.deep.equal([1]);
  });

  it('has rows that no repair takes for records', () => {
    expect(isRecordRow(encodePublicEvent({ tenantKey: new Uint8Array(32), number: 1 }))).to.equal(false);
  });

  it('continues a page where the chain has its last event, whatever is committed meanwhile', async () => {
    const create = (at: number) => aCreation({ identity: eventOf(at, 0x80), asset_settings: IS_PUBLIC });
    const take = (from: number, to: number) =>
      index.take(
        Array.from({ length: to - from }, (_, at) => toRecordLog({ record: create(from + at) }, from + at + 1)),
      );
    await index.take([toRecordLog({ record: aTenantRecord(ALPHA) }, 1)]);
    await take(1, 6);
    const first = await listPage(EVERYTHING, { limit: 2, position: undefined, isCounted: true });
    await take(6, 8);
    const position = first.nextPosition;
    const second = await listPage(EVERYTHING, { limit: 2, position, isCounted: true });
    const blocks = [...first.items, ...second.items].map(({ block_number }) => block_number);
    expect(blocks).to.deep.equal([6, 5, 4, 3]);
    expect([first.total, second.total]).to.deep.equal([5, 7]);
  });
});
