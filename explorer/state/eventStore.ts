// The events of an asset, of which those are kept that are shown, and some around them, however many there are. Their
// numbers count from the oldest, in the order of their acceptance, and of one millisecond in the ledger's, so that new
// events change no number. Any of them is found by its number in a few requests: the count of the events since a time
// says which number the first of them has.
import type { LedgerEvent } from '../api/client.ts';
import type { AcceptedRange, EventsPage } from '../api/reads.ts';
import { createKeptEvents, type KeptEvents, type KnownTime, type PlacedPage, toAcceptedMs } from './keptEvents.ts';

/** Events of a page. */
const READ_AT_ONCE = 200;

/** Reads a page. */
export type FetchRange = (range: AcceptedRange) => Promise<EventsPage>;

/** The events of an asset. */
export interface EventStore {
  /** How many the asset has. */
  total(): number;
  /** Whether all of them are kept. */
  isComplete(): boolean;
  /** The event with a number; undefined if it isn't kept. */
  get(number: number): LedgerEvent | undefined;
  /** Reads the event with a number and those around it. Rejects with ApiError. */
  load(number: number): Promise<void>;
  /** The number of the last event accepted at or before a time; -1 if there is none. Rejects with ApiError. */
  findNumber(ms: number): Promise<number>;
  /** Adds an event that was committed since, or replaces the one that was pending. */
  add(event: LedgerEvent): void;
  /** Adds the events that were accepted since the newest one that is known. Rejects with ApiError. */
  catchUp(): Promise<void>;
}

const toTimestamp = (ms: number): string => new Date(ms).toISOString();

const byAcceptance = (one: LedgerEvent, other: LedgerEvent): number =>
  toAcceptedMs(one) - toAcceptedMs(other) || (one.identity < other.identity ? -1 : 1);

// Where to read next for an event between two bounds: at the lower one if it is near, else where it would be if the
// events were evenly spread, and each second time in the middle of the time, which ends whatever their spread.
const toSinceMs = (number: number, low: KnownTime, high: KnownTime, attempt: number): number => {
  if (number - low.number < READ_AT_ONCE / 2) return low.ms;
  if (attempt % 2 === 1) return Math.ceil((low.ms + high.ms) / 2);
  const part = (number - READ_AT_ONCE / 2 - low.number) / (high.number - low.number);
  return Math.floor(low.ms + (high.ms - low.ms) * part);
};

/** Reads by number among the events that were accepted before a time. */
interface NumberedReader {
  readonly countedTotal: () => number;
  /** Places the oldest page, and counts. */
  begin(): Promise<void>;
  /** Places the events since a time: a page, or all. */
  seek(sinceMs: number): Promise<PlacedPage>;
  follow(last: PlacedPage): Promise<PlacedPage>;
  load(number: number): Promise<void>;
}

const createReader = (fetchRange: FetchRange, kept: KeptEvents, beforeMs: number): NumberedReader => {
  const counted = { before: toTimestamp(beforeMs), isOldestFirst: true, size: READ_AT_ONCE };
  let countedTotal = 0;
  const seek = async (sinceMs: number): Promise<PlacedPage> => {
    const page = await fetchRange({ ...counted, since: toTimestamp(sinceMs - 1) });
    return kept.place(page, countedTotal - page.total);
  };
  const follow = async (last: PlacedPage): Promise<PlacedPage> =>
    kept.place(await fetchRange({ ...counted, pageToken: last.next }), last.first + last.events.length);

  const load = async (number: number): Promise<void> => {
    let { low, high } = kept.around(number);
    for (let attempt = 0; number < countedTotal && kept.get(number) === undefined; attempt += 1) {
      const sinceMs = toSinceMs(number, low, high, attempt);
      let page = await seek(sinceMs);
      // Events of one millisecond may fill several pages.
      const isFlat = high.ms - low.ms <= 1;
      const isAhead = (end: number): boolean => number >= end && (isFlat || number < end + READ_AT_ONCE);
      while (page.next !== '' && isAhead(page.first + page.events.length)) page = await follow(page);
      const last = page.events.at(-1);
      if (page.first > number) high = { number: page.first, ms: sinceMs };
      else if (last !== undefined) low = { number: page.first + page.events.length - 1, ms: toAcceptedMs(last) };
    }
  };
  const begin = async (): Promise<void> => {
    const oldest = await fetchRange(counted);
    countedTotal = oldest.total;
    kept.place(oldest, 0);
  };
  return { countedTotal: () => countedTotal, begin, seek, follow, load };
};

/** Reads the newest events, and opens the store with them. Rejects with ApiError. */
export const openEventStore = async (fetchRange: FetchRange): Promise<EventStore> => {
  const kept = createKeptEvents();
  const newest = await fetchRange({ size: READ_AT_ONCE });
  const times = newest.events.map(toAcceptedMs);
  const reader = createReader(fetchRange, kept, Math.max(0, ...times) + 1);
  let total = newest.total;

  const add = (event: LedgerEvent): void => {
    const number = kept.numberOf(event.identity) ?? total;
    kept.place({ events: [event], total, next: '' }, number);
    total = Math.max(total, number + 1);
  };
  const catchUp = async (): Promise<void> => {
    const last = kept.newest();
    const since = last === undefined ? {} : { since: toTimestamp(last.ms - 1) };
    let page = await fetchRange({ ...since, isOldestFirst: true, size: READ_AT_ONCE });
    page.events.forEach(add);
    while (page.next !== '') {
      page = await fetchRange({ isOldestFirst: true, size: READ_AT_ONCE, pageToken: page.next });
      page.events.forEach(add);
    }
  };

  if (newest.next === '') kept.place({ ...newest, events: newest.events.toSorted(byAcceptance) }, 0);
  else {
    await reader.begin();
    total = reader.countedTotal();
    let page = await reader.seek(Math.min(...times));
    while (page.next !== '') page = await reader.follow(page);
    // An event may have been accepted later than others that follow it in the ledger.
    await catchUp();
  }
  return {
    total: () => total,
    isComplete: () => kept.size() === total,
    get: (number) => kept.get(number),
    load: async (number) => {
      await reader.load(number);
      kept.drop(number, reader.countedTotal());
    },
    findNumber: async (ms) => {
      const page = await fetchRange({ before: toTimestamp(ms + 1), isOldestFirst: true, size: 1 });
      return page.total - 1;
    },
    add,
    catchUp,
  };
};
