import { expect } from 'chai';
import type { FeedPage } from '../../../indexer/feedView.ts';
import type { EventQuery } from '../../../indexer/ledgerView.ts';
import { useDirectories } from '../../support/directories.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord, eventOf } from '../../support/records.ts';
import { type OpenIndex, openIndex } from '../../support/viewFixture.ts';

const EVERYTHING: EventQuery = { assetUuid: undefined, attributes: [], fields: [], times: [], order: 'newest' };
const LARGE = 12;
const SMALL = 30;
const PAGE_EVENTS = 50;
/** Of the pages that a server's streams hold at once. */
const PAGE_BYTES_MAX = 2 ** 20;

describe('a feed', () => {
  const newDirectory = useDirectories();
  let index: OpenIndex;
  before(async () => {
    index = await openIndex(await newDirectory());
    const largeText = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`text${at}`, 'x'.repeat(4_096)]));
    const records = Array.from({ length: LARGE + SMALL }, (_, at) =>
      anEvent({ identity: eventOf(1, at + 1), ...(at < LARGE ? { event_attributes: largeText } : {}) }),
    );
    const all = [aTenantRecord(ALPHA), aCreation({ identity: eventOf(1, 0) }), ...records];
    await index.take(all.map((record, at) => toRecordLog({ tenantIdentity: ALPHA, record }, at + 1)));
  });
  after(() => index.store.close());

  const readPages = async (): Promise<FeedPage[]> => {
    const pages: FeedPage[] = [];
    let from: FeedPage['next'] = { blockNumber: 0, logIndex: 0 };
    do {
      pages.push(await index.view.readFeed(ALPHA, EVERYTHING, from, PAGE_EVENTS));
      from = pages.at(-1)!.next;
    } while (!pages.at(-1)!.isComplete);
    return pages;
  };

  it('has short pages where events are large, and each event once, in the order of the chain', async () => {
    const pages = await readPages();
    const toBytes = ({ events }: FeedPage) => events.reduce((sum, { json }) => sum + json.length, 0);
    for (const page of pages) expect(toBytes(page)).to.be.below(PAGE_BYTES_MAX);
    expect(pages[0]!.events).to.have.length.below(LARGE);
    expect(pages).to.have.length.below(4);
    const identities = pages.flatMap(({ events }) =>
      events.map(({ json }) => JSON.parse(Buffer.from(json).toString()).identity),
    );
    expect(identities).to.eql(Array.from({ length: 1 + LARGE + SMALL }, (_, at) => eventOf(1, at)));
  });
});
