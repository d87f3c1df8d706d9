// Pages of events of one tenant or of several, oldest acceptance first, then by identity: the order of SIMPLEHASHV1 and
// SIMPLEHASHV2. The ledger's order is nearly the order of acceptance, so chunks are read by their earliest time until
// no later chunk can contain an event of the page.
import type { EventResource } from '../../ledger/records/event.ts';
import type { Page, PageQuery } from '../ledgerView.ts';
import { countBits } from '../rows/bits.ts';
import { type AcceptedPlace, comparePlaces } from './acceptedPlace.ts';
import { type DatedNumber, type DatedSource, readDated } from './datedEvents.ts';
import { createReadZone } from './selection/fullChunks.ts';
import type { SelectedChunk } from './selection/selection.ts';

/** A list of events to read by acceptance. */
export interface AcceptedList extends Pick<DatedSource, 'snapshot' | 'tenantKey'> {
  /** The uncommitted events that meet the conditions. */
  readonly uncommitted: readonly EventResource[];
  readonly selected: AsyncIterable<SelectedChunk>;
  /** Reads events by their numbers, in the same order. */
  readEvents(numbers: readonly number[]): Promise<EventResource[]>;
  /** Where an event is in the list. A page token says so to the reader, who may not see all of the event. */
  toPlace(event: EventResource): AcceptedPlace;
}

interface DatedChunk extends SelectedChunk {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** Where a page begins: after an event, of which the tenant is given in a list of several tenants. */
interface AcceptedPosition extends AcceptedPlace {
  readonly tenant?: string;
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

// Events of different tenants may have the same identity.
const isAfter = (
  { toPlace }: Pick<AcceptedList, 'toPlace'>,
  event: EventResource,
  { tenant, ...place }: AcceptedPosition,
): boolean => {
  const order = comparePlaces(toPlace(event), place);
  return order > 0 || (order === 0 && tenant !== undefined && event.tenant_identity > tenant);
};

const createByAcceptance =
  ({ toPlace }: Pick<AcceptedList, 'toPlace'>) =>
  (a: EventResource, b: EventResource): number =>
    comparePlaces(toPlace(a), toPlace(b)) || compareTexts(a.tenant_identity, b.tenant_identity);

// The candidates for the page: those up to the time of the last one needed, including all that share that time.
const trim = (candidates: readonly DatedNumber[], countMax: number): DatedNumber[] => {
  const sorted = candidates.toSorted((a, b) => a.atMs - b.atMs);
  const last = sorted[countMax - 1];
  return last === undefined ? sorted : sorted.filter(({ atMs }) => atMs <= last.atMs);
};

// Some events with the position's time may be on earlier pages, so these events are read, and only those after the
// position are counted.
const findEvents = async (
  list: AcceptedList,
  chunks: readonly DatedChunk[],
  position: AcceptedPosition,
  countMax: number,
): Promise<EventResource[]> => {
  let candidates: DatedNumber[] = [];
  let shared: EventResource[] = [];
  for (const [at, chunk] of chunks.entries()) {
    const found = await readDated(list, chunk, position.atMs);
    const tied = found.filter(({ atMs }) => atMs === position.atMs).map(({ number }) => number);
    const events = await list.readEvents(tied);
    shared = [...shared, ...events.filter((event) => isAfter(list, event, position))];
    candidates = trim([...candidates, ...found.filter(({ atMs }) => atMs > position.atMs)], countMax);
    const isFull = shared.length + candidates.length >= countMax;
    const lastMs = candidates.at(-1)?.atMs ?? position.atMs;
    if (isFull && (chunks[at + 1]?.earliestMs ?? Number.POSITIVE_INFINITY) > lastMs) break;
  }
  const numbers = candidates.map(({ number }) => number);
  return [...shared, ...(await list.readEvents(numbers))];
};

const readChunks = async ({ snapshot, tenantKey, selected }: AcceptedList): Promise<DatedChunk[]> => {
  const chunks: DatedChunk[] = [];
  const readZone = createReadZone(snapshot, tenantKey);
  for await (const { chunk, bits } of selected) {
    const [earliestMs, latestMs] = readZone(chunk).timestamp_accepted;
    chunks.push({ chunk, bits, earliestMs, latestMs });
  }
  return chunks.sort((a, b) => a.earliestMs - b.earliestMs);
};

/** One page of the list. */
export const readAcceptedPage = async (list: AcceptedList, query: PageQuery): Promise<Page<EventResource>> => {
  const start: AcceptedPosition = { atMs: Number.NEGATIVE_INFINITY, identity: '' };
  const position = query.position === undefined ? start : (JSON.parse(query.position) as AcceptedPosition);
  const chunks = await readChunks(list);
  const left = chunks.filter(({ latestMs }) => latestMs >= position.atMs);
  const found = await findEvents(list, left, position, query.limit + 1);
  const waiting = list.uncommitted.filter((event) => isAfter(list, event, position));
  const sorted = [...found, ...waiting].sort(createByAcceptance(list));
  const items = sorted.slice(0, query.limit);
  const last = items.at(-1);
  const isLast = last === undefined || sorted.length <= query.limit;
  const nextPosition = isLast ? undefined : JSON.stringify(list.toPlace(last));
  const count = chunks.reduce((sum, { bits }) => sum + countBits(bits), 0);
  return { items, nextPosition, total: query.isCounted ? count + list.uncommitted.length : undefined };
};

const toPositionAfter = ({ toPlace }: Pick<AcceptedList, 'toPlace'>, event: EventResource): string =>
  JSON.stringify({ ...toPlace(event), tenant: event.tenant_identity } satisfies AcceptedPosition);

/** One page of what several lists have together; their items have places of one kind. */
export const readAcceptedPages = async (
  lists: readonly AcceptedList[],
  query: PageQuery,
): Promise<Page<{ readonly event: EventResource; readonly at: number }>> => {
  const pages = await Promise.all(lists.map((list) => readAcceptedPage(list, query)));
  const found = pages.flatMap(({ items }, at) => items.map((event) => ({ event, at })));
  const [list] = lists;
  const total = query.isCounted ? pages.reduce((sum, page) => sum + page.total!, 0) : undefined;
  if (list === undefined) return { items: [], nextPosition: undefined, total };
  const byAcceptance = createByAcceptance(list);
  const items = found.sort((a, b) => byAcceptance(a.event, b.event)).slice(0, query.limit);
  const isLast = found.length === items.length && pages.every(({ nextPosition }) => nextPosition === undefined);
  return {
    items,
    nextPosition: isLast ? undefined : toPositionAfter(list, items.at(-1)!.event),
    total,
  };
};
