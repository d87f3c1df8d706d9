// Events by their numbers, of which only a part is kept, and the times of some that aren't kept any more.
import type { LedgerEvent } from '../api/client.ts';
import type { EventsPage } from '../api/reads.ts';

/** More than that, and those that are far from the newest request are dropped. */
const KEPT_MAX = 4_000;

/** A number, and a time in milliseconds since the epoch at which or before which its event was accepted. */
export interface KnownTime {
  readonly number: number;
  readonly ms: number;
}

/** A page of events whose numbers are known. */
export interface PlacedPage extends EventsPage {
  /** The number of its first event. */
  readonly first: number;
}

/** The events that are kept. */
export interface KeptEvents {
  readonly size: () => number;
  get(number: number): LedgerEvent | undefined;
  /** The number of an event; undefined if it isn't kept. */
  numberOf(identity: string): number | undefined;
  /** Keeps a page, from a number on. */
  place(page: EventsPage, first: number): PlacedPage;
  /** Drops events far from a number, but none from `fixed` on. */
  drop(number: number, fixed: number): void;
  /** The nearest known events at or below a number, and above it. */
  around(number: number): { readonly low: KnownTime; readonly high: KnownTime };
  newest(): KnownTime | undefined;
}

/** When an event was accepted, in milliseconds since the epoch. */
export const toAcceptedMs = ({ timestamp_accepted }: LedgerEvent): number => Date.parse(timestamp_accepted);

// One that is pending follows those that are committed.
const toPosition = ({ block_number = 0, transaction_index = 0, log_index = 0 }: LedgerEvent): readonly number[] => [
  block_number === 0 ? Number.MAX_SAFE_INTEGER : block_number,
  transaction_index,
  log_index,
];

const byLedger = (one: LedgerEvent, other: LedgerEvent): number => {
  const position = toPosition(other);
  return (
    toPosition(one)
      .map((part, at) => part - position[at]!)
      .find((difference) => difference !== 0) ?? 0
  );
};

// Lists in the order of acceptance have the events of one millisecond by identity, which tells nothing: numbers of such
// events are given in the ledger's order.
const createArrange = (kept: Map<number, LedgerEvent>) => {
  // Numbers next to one, in a direction, whose events were accepted in the same millisecond.
  const listNeighbours = (number: number, direction: 1 | -1): number[] => {
    const numbers: number[] = [];
    const time = kept.get(number)!.timestamp_accepted;
    for (let next = number + direction; kept.get(next)?.timestamp_accepted === time; next += direction)
      numbers.push(next);
    return numbers;
  };
  // What has been read last is right: neighbours that have one of its events are read again.
  const dropRepeated = (numbers: readonly number[], read: ReadonlySet<string>): void => {
    if (numbers.some((number) => read.has(kept.get(number)!.identity))) for (const each of numbers) kept.delete(each);
  };
  const sort = (first: number, end: number): void => {
    const sorted = Array.from({ length: end - first }, (_, at) => kept.get(first + at)!).toSorted(byLedger);
    sorted.forEach((event, at) => {
      kept.set(first + at, event);
    });
  };
  return (events: readonly LedgerEvent[], first: number): void => {
    const last = first + events.length - 1;
    const read = new Set(events.map(({ identity }) => identity));
    dropRepeated(listNeighbours(first, -1), read);
    dropRepeated(listNeighbours(last, 1), read);
    const end = last + 1 + listNeighbours(last, 1).length;
    let begin = first - listNeighbours(first, -1).length;
    while (begin < end) {
      const next = begin + 1 + listNeighbours(begin, 1).length;
      if (next > begin + 1) sort(begin, next);
      begin = next;
    }
  };
};

/** Keeps no event yet. */
export const createKeptEvents = (): KeptEvents => {
  const kept = new Map<number, LedgerEvent>();
  const arrange = createArrange(kept);
  let times: KnownTime[] = [];
  const remember = (number: number, event: LedgerEvent | undefined): void => {
    if (event === undefined || times.some((known) => known.number === number)) return;
    const added = { number, ms: toAcceptedMs(event) };
    times = [...times, added].toSorted((one, other) => one.number - other.number);
  };
  return {
    size: () => kept.size,
    get: (number) => kept.get(number),
    numberOf: (identity) => [...kept].find(([, event]) => event.identity === identity)?.[0],
    place: (page, first) => {
      page.events.forEach((event, at) => {
        kept.set(first + at, event);
      });
      if (page.events.length > 0) arrange(page.events, first);
      remember(first, page.events[0]);
      remember(first + page.events.length - 1, page.events.at(-1));
      return { ...page, first };
    },
    drop: (number, fixed) => {
      if (kept.size <= KEPT_MAX) return;
      const isFar = (each: number): boolean => each < fixed && Math.abs(each - number) > KEPT_MAX / 2;
      for (const each of [...kept.keys()].filter(isFar)) kept.delete(each);
    },
    around: (number) => ({
      low: times.findLast((known) => known.number <= number) ?? times[0]!,
      high: times.find((known) => known.number > number) ?? times.at(-1)!,
    }),
    newest: () => times.at(-1),
  };
};
