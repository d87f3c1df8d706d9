// Events of the index with their times of acceptance, which a column has: only the events that a page may need are
// read.
import type { EventResource } from '../../ledger/records/event.ts';
import { lowsOf, toNumber } from '../rows/bits.ts';
import type { Snapshot } from '../snapshots.ts';
import type { AcceptedPlace } from './acceptedPlace.ts';
import { readEvents } from './recordReads.ts';
import { readColumn } from './selection/readColumn.ts';
import type { SelectedChunk } from './selection/selection.ts';

/** What dated events are read from. */
export interface DatedSource {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
  readonly tenantKey: Uint8Array;
}

/** The number of an event, and its acceptance in milliseconds since the epoch. */
export interface DatedNumber {
  readonly atMs: number;
  readonly number: number;
}

/** The selected events of a chunk that were accepted at or after `fromMs`. */
export const readDated = async (
  { snapshot, tenantKey }: Pick<DatedSource, 'snapshot' | 'tenantKey'>,
  selected: SelectedChunk,
  fromMs: number,
): Promise<DatedNumber[]> => {
  const times = await readColumn(snapshot, tenantKey, selected, 'timestamp_accepted');
  return lowsOf(selected.bits)
    .filter((low) => times[low]! >= fromMs)
    .map((low) => ({ number: toNumber(selected.chunk, low), atMs: times[low]! }));
};

/** An event of the index with its number. */
export interface NumberedEvent {
  readonly number: number;
  readonly event: EventResource;
}

/**
 * The last `countMax` of the selected events before a place, and those of the same milliseconds; in no order.
 * `selected`: events that were accepted in the place's millisecond or before it.
 */
export const findBefore = async (
  source: DatedSource,
  selected: AsyncIterable<SelectedChunk>,
  { atMs: untilMs }: AcceptedPlace,
  countMax: number,
): Promise<NumberedEvent[]> => {
  const dated: DatedNumber[] = [];
  for await (const each of selected) dated.push(...(await readDated(source, each, Number.NEGATIVE_INFINITY)));
  dated.sort((a, b) => b.atMs - a.atMs);
  // Those of the place's own millisecond may be on earlier pages.
  const tied = dated.filter(({ atMs }) => atMs === untilMs).length;
  const fromMs = dated[tied + countMax - 1]?.atMs ?? Number.NEGATIVE_INFINITY;
  const numbers = dated.filter(({ atMs }) => atMs >= fromMs).map(({ number }) => number);
  const events = await readEvents(source.snapshot, source.tenantIdentity, numbers);
  return events.map((event, at) => ({ event, number: numbers[at]! }));
};
