// Pages of events, oldest acceptance first, then by identity: the order of SIMPLEHASHV1 and SIMPLEHASHV2. The ledger's
// order is nearly the order of acceptance, so chunks are read by their earliest time until no later chunk can contain
// an event of the page.

import type { EventResource } from '../../ledger/records/event.ts';
import type { Page, PageQuery } from '../ledgerView.ts';
import { countBits } from '../rows/bits.ts';
import { type AcceptedPlace, comparePlaces, toPlace } from './acceptedPlace.ts';
import { type DatedNumber, type DatedSource, readDated } from './datedEvents.ts';
import { readEvents } from './recordReads.ts';
import { createReadZone } from './selection/fullChunks.ts';
import type { SelectedChunk } from './selection/selection.ts';

/** A list of events to read by acceptance. */
export interface AcceptedList extends DatedSource {
  /** The uncommitted events that meet the conditions. */
  readonly uncommitted: readonly EventResource[];
  readonly selected: AsyncIterable<SelectedChunk>;
}

interface DatedChunk extends SelectedChunk {
  readonly earliestMs: number;
  readonly latestMs: number;
}

const isAfter = (event: EventResource, position: AcceptedPlace): boolean => comparePlaces(toPlace(event), position) > 0;

const byAcceptance = (a: EventResource, b: EventResource): number => comparePlaces(toPlace(a), toPlace(b));

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
  position: AcceptedPlace,
  countMax: number,
): Promise<EventResource[]> => {
  let candidates: DatedNumber[] = [];
  let shared: EventResource[] = [];
  for (const [at, chunk] of chunks.entries()) {
    const found = await readDated(list, chunk, position.atMs);
    const tied = found.filter(({ atMs }) => atMs === position.atMs).map(({ number }) => number);
    const events = await readEvents(list.snapshot, list.tenantIdentity, tied);
    shared = [...shared, ...events.filter((event) => isAfter(event, position))];
    candidates = trim([...candidates, ...found.filter(({ atMs }) => atMs > position.atMs)], countMax);
    const isFull = shared.length + candidates.length >= countMax;
    const lastMs = candidates.at(-1)?.atMs ?? position.atMs;
    if (isFull && (chunks[at + 1]?.earliestMs ?? Number.POSITIVE_INFINITY) > lastMs) break;
  }
  const numbers = candidates.map(({ number }) => number);
  return [...shared, ...(await readEvents(list.snapshot, list.tenantIdentity, numbers))];
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
  const start: AcceptedPlace = { atMs: Number.NEGATIVE_INFINITY, identity: '' };
  const position = query.position === undefined ? start : (JSON.parse(query.position) as AcceptedPlace);
  const chunks = await readChunks(list);
  const left = chunks.filter(({ latestMs }) => latestMs >= position.atMs);
  const found = await findEvents(list, left, position, query.limit + 1);
  const waiting = list.uncommitted.filter((event) => isAfter(event, position));
  const sorted = [...found, ...waiting].sort(byAcceptance);
  const items = sorted.slice(0, query.limit);
  const last = items.at(-1);
  const isLast = last === undefined || sorted.length <= query.limit;
  const nextPosition = isLast ? undefined : JSON.stringify(toPlace(last));
  const count = chunks.reduce((sum, { bits }) => sum + countBits(bits), 0);
  return { items, nextPosition, total: query.isCounted ? count + list.uncommitted.length : undefined };
};
