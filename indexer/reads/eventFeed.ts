// Events from a position of the chain on, oldest first: the reader's own and those that are shared with it. Positions
// are the same for all tenants, and stay when the index is rebuilt.
import { toKey } from '../../ledger/identity.ts';
import type { FeedEvent, FeedPage, FeedView } from '../feedView.ts';
import type { EventQuery, PageQuery } from '../ledgerView.ts';
import { lowsOf, toNumber } from '../rows/bits.ts';
import { type ChainPosition, comparePositions } from '../rows/chainPosition.ts';
import type { Snapshot } from '../snapshots.ts';
import { type EventSource, openList } from './eventPages.ts';
import { countBelow, readBlockNumber } from './mergedPage.ts';
import type { OverlaidReader } from './overlaidReader.ts';
import { readCount, select } from './selection/selection.ts';
import { createEventRows, type SharedEventList, toSharedEventList } from './sharing/sharedEvents.ts';
import { ENCODED_FORMAT } from './sharing/sharedItems.ts';
import { findEventTenants } from './sharing/sharedPages.ts';

/** The events of one tenant in a feed. */
type FeedList = Pick<
  SharedEventList<Uint8Array>,
  'readCount' | 'readPosition' | 'readPositions' | 'readItems' | 'selectOldest'
>;

interface Found {
  readonly list: FeedList;
  readonly number: number;
  readonly position: ChainPosition;
}

/** Events that are read together, and the bytes of their JSON after which a page has no more of them. */
const EVENTS_TOGETHER = 10;
const PAGE_BYTES = 262_144;

const FIRST_PAGE: PageQuery = { limit: 1, position: undefined, isCounted: false };

const toOwnList = async (source: EventSource, query: EventQuery): Promise<FeedList> => {
  const { snapshot, tenantIdentity } = source;
  const { selection } = await openList(source, query);
  const { read, ...positions } = createEventRows(snapshot, toKey(tenantIdentity));
  const encode = ENCODED_FORMAT.createOfRow(tenantIdentity);
  return {
    ...positions,
    readCount: () => readCount(snapshot, selection),
    selectOldest: (from, to) => select(snapshot, selection, { from, to, isNewestFirst: false }),
    readItems: async (numbers) => (await read(numbers)).map(encode),
  };
};

const openLists = async (source: EventSource, query: EventQuery): Promise<readonly FeedList[]> => {
  const listed = await findEventTenants(source, query, FIRST_PAGE);
  if (listed === undefined) return [await toOwnList(source, query)];
  const own = listed.isOwn ? [await toOwnList(source, query)] : [];
  const format = { isCounted: false, format: ENCODED_FORMAT };
  const others = listed.others.map((visible) => toSharedEventList(source.snapshot, visible, query, format));
  return [...own, ...(await Promise.all(others))];
};

const findOldest = async (list: FeedList, from: ChainPosition, countMax: number): Promise<Found[]> => {
  const [first, end] = [countBelow(list, from), list.readCount()];
  const numbers: number[] = [];
  if (first === end) return [];
  for await (const { chunk, bits } of list.selectOldest(first, end)) {
    numbers.push(...lowsOf(bits).map((low) => toNumber(chunk, low)));
    if (numbers.length >= countMax) break;
  }
  const oldest = numbers.slice(0, countMax);
  const positions = await list.readPositions(oldest);
  return oldest.map((number, at) => ({ list, number, position: positions[at]! }));
};

const readJson = async (lists: readonly FeedList[], found: readonly Found[]): Promise<Uint8Array[]> => {
  const read = new Map<Found, Uint8Array>();
  for (const list of lists) {
    const ofList = found.filter((each) => each.list === list);
    const items = await list.readItems(ofList.map(({ number }) => number));
    for (const [at, each] of ofList.entries()) read.set(each, items[at]!);
  }
  return found.map((each) => read.get(each)!);
};

const toNext = ({ blockNumber, logIndex }: ChainPosition): ChainPosition => ({ blockNumber, logIndex: logIndex + 1 });

// A stream keeps a page until its client has read it, so many large events aren't read at once.
const readPage = async (lists: readonly FeedList[], found: readonly Found[]): Promise<FeedEvent[]> => {
  const events: FeedEvent[] = [];
  let bytes = 0;
  while (events.length < found.length && bytes < PAGE_BYTES) {
    const together = found.slice(events.length, events.length + EVENTS_TOGETHER);
    for (const [at, json] of (await readJson(lists, together)).entries()) {
      events.push({ json, next: toNext(together[at]!.position) });
      bytes += json.length;
    }
  }
  return events;
};

const toFeedEnd = (snapshot: Snapshot): ChainPosition => ({ blockNumber: readBlockNumber(snapshot) + 1, logIndex: 0 });

const readFeed = async (
  source: EventSource,
  query: EventQuery,
  from: ChainPosition,
  limit: number,
): Promise<FeedPage> => {
  const lists = await openLists(source, query);
  const found = await Promise.all(lists.map((list) => findOldest(list, from, limit + 1)));
  const inOrder = found.flat().sort((a, b) => comparePositions(a.position, b.position));
  const events = await readPage(lists, inOrder.slice(0, limit));
  if (inOrder.length > events.length) return { events, next: events.at(-1)!.next, isComplete: false };
  const end = toFeedEnd(source.snapshot);
  // An index that is rebuilt may not have reached the position yet.
  return { events, next: comparePositions(end, from) > 0 ? end : from, isComplete: true };
};

/** The reads of feeds. */
export const createFeedReads = ({
  readSnapshot,
}: Pick<OverlaidReader, 'readSnapshot'>): Pick<FeedView, 'readFeed' | 'readFeedEnd'> => ({
  readFeedEnd: () => readSnapshot(toFeedEnd),
  readFeed: (tenantIdentity, query, from, limit) =>
    readSnapshot((snapshot) => readFeed({ snapshot, tenantIdentity, uncommitted: [] }, query, from, limit)),
});
