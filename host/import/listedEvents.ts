// The order of the events of lists. A list names no order, and an API lists the newest first.
import type { SourceRecord } from './sourceItem.ts';

/** An event with the time of its acceptance, and its place on the chain when the source names it. */
interface Placed {
  readonly event: SourceRecord;
  readonly time: number;
  readonly place: readonly number[] | undefined;
}

const PLACE = ['block_number', 'transaction_index', 'log_index'] as const;

const toPlaced = (event: SourceRecord): Placed => {
  const place = PLACE.map((name) => event.value[name]);
  const isPlace = place.every((part) => typeof part === 'number');
  const time = Date.parse(String(event.value.timestamp_accepted)) || 0;
  return { event, time, place: isPlace ? (place as number[]) : undefined };
};

// Lists of several assets may follow each other, so only the events of one asset are compared.
const isOldestFirst = (list: readonly Placed[]): boolean => {
  const times = new Map<string, number>();
  let later = 0;
  for (const { event, time } of list) {
    later += Math.sign(time - (times.get(event.assetIdentity) ?? time));
    times.set(event.assetIdentity, time);
  }
  return later > 0;
};

const comparePlaces = (a: Placed, b: Placed): number =>
  PLACE.map((_, at) => a.place![at]! - b.place![at]!).find((difference) => difference !== 0) ?? 0;

/**
 * The events of lists in the order of their acceptance. Those of one time have the order of their places on the chain,
 * if the source names all of these; otherwise that of their lists, which are newest first unless their times differ.
 */
export const toOrderOfAcceptance = (lists: readonly (readonly SourceRecord[])[]): SourceRecord[] => {
  const placed = lists.map((list) => list.map(toPlaced));
  const newestFirst = placed.filter((list) => !isOldestFirst(list)).flat();
  const listed = [...newestFirst.reverse(), ...placed.filter(isOldestFirst).flat()];
  const listedTimes = new Set(listed.filter(({ place }) => place === undefined).map(({ time }) => time));
  const compare = (a: Placed, b: Placed): number =>
    a.time - b.time || (listedTimes.has(a.time) ? 0 : comparePlaces(a, b));
  return listed.sort(compare).map(({ event }) => event);
};
