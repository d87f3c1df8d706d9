// Reads the policy pages of an asset: ranges of its events by display type. No event itself is read.
import type { EventRange } from '../../ledger/compliance/eventRange.ts';
import type { PolicyEvent } from '../../ledger/compliance/policyEvent.ts';
import { STEP_ITEMS, type Steps } from '../../ledger/compliance/steps.ts';
import { formatUuid, toEventIdentity, toKey, toUuid } from '../../ledger/identity.ts';
import * as keys from '../keys.ts';
import type { PolicyEvents } from '../ledgerView.ts';
import { toPackedEvent, toTextHash } from '../projection/packedEvent.ts';
import { attributeTerm } from '../projection/terms/termNames.ts';
import { assetTerm } from '../projection/terms.ts';
import { countBits } from '../rows/bits.ts';
import {
  decodePageHeader,
  EARLIEST_MS,
  EVENT_AT,
  EVENT_BYTES,
  HASH_BYTES,
  HEADER_BYTES,
  LATEST_MS,
  PAGE_EVENTS,
} from '../rows/policyPages.ts';
import type { Snapshot } from '../snapshots.ts';
import { readAssetRow } from './recordReads.ts';
import { readCount, select } from './selection/selection.ts';
import type { UncommittedEvent } from './uncommitted.ts';

const UUID_BYTES = 16;

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

// Pages are read from the head backwards, more at each step, until no older page can have an event of the range.
const PAGES_AT_ONCE = 4;
const GROWTH = 8;
// Most pages of one read.
const PAGES_AT_ONCE_MAX = 512;

const countEvents = (pages: readonly Uint8Array[]): number =>
  pages.reduce((count, { length }) => count + (length - HEADER_BYTES) / EVENT_BYTES, 0);

const latestUntil = (page: Uint8Array, atMs: number): number => {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  let latestMs = Number.NEGATIVE_INFINITY;
  for (let offset = HEADER_BYTES; offset < page.length; offset += EVENT_BYTES) {
    const acceptedMs = view.getFloat64(offset + EVENT_AT.accepted, true);
    if (acceptedMs <= atMs && acceptedMs > latestMs) latestMs = acceptedMs;
  }
  return latestMs;
};

// Whether the pages before this one have neither the last event nor any event at or after `fromMs`.
const isEnough = (page: Uint8Array, lastMs: number, fromMs: number): boolean => {
  const { beforeMs } = decodePageHeader(page);
  return beforeMs === EARLIEST_MS || (beforeMs < fromMs && beforeMs <= lastMs);
};

interface TypeSource extends Pick<PolicyEventSource, 'snapshot' | 'tenantIdentity' | 'identity' | 'before'> {
  readonly tenantKey: Uint8Array;
  readonly streamKey: Uint8Array;
}

// How many events of the type don't count: those with numbers from the limit on. A page has UUIDs instead of numbers,
// and an own event may have that of an earlier contribution.
const countLate = async (
  { snapshot, tenantIdentity, tenantKey, identity, before }: TypeSource,
  displayType: string,
): Promise<number> => {
  const row = before === undefined ? undefined : readAssetRow(snapshot, { tenantIdentity, identity });
  if (before === undefined || row === undefined) return 0;
  const typeTerm = attributeTerm('events', 'event_attributes', 'arc_display_type', displayType);
  const conditions = { all: [typeTerm, assetTerm(row.number)], none: [] };
  const range = { from: before, to: readCount(snapshot, { tenantKey, collection: 'events' }), isNewestFirst: false };
  let count = 0;
  for await (const { bits } of select(snapshot, { tenantKey, collection: 'events', conditions }, range))
    count += countBits(bits);
  return count;
};

interface LastPage {
  /** With the events that count. */
  readonly page: Uint8Array;
  /** Undefined: it is the head. */
  readonly key: Buffer | undefined;
}

// The last page with events that count, without those that don't, which are the last ones of the type.
const readLastPage = async (
  source: TypeSource,
  { displayType, typeHash, head }: { displayType: string; typeHash: Uint8Array; head: Uint8Array },
): Promise<LastPage | undefined> => {
  const { snapshot, tenantKey, streamKey } = source;
  const { gte, lte } = keys.policyPageRange(tenantKey, streamKey, typeHash, LATEST_MS);
  let late = await countLate(source, displayType);
  let last: LastPage | undefined = { page: head, key: undefined };
  while (last !== undefined) {
    const count = countEvents([last.page]);
    if (late < count) return { ...last, page: last.page.subarray(0, last.page.length - late * EVENT_BYTES) };
    late -= count;
    const end: keys.KeyRange = last.key === undefined ? { lte } : { lt: last.key };
    const [entry] = await snapshot.readLast({ gte, ...end }, 1);
    last = entry && { page: entry[1] as Uint8Array, key: entry[0] };
  }
  return undefined;
};

// A page whose earlier pages have a later time than this has no event at or before `atMs`: no event lags behind an
// earlier one by more than `lagMs`.
const toReachMs = (lagMs: number, atMs: number): number => Math.min(LATEST_MS, Math.max(EARLIEST_MS, atMs + lagMs));

const toNextLimit = (limit: number): number => Math.min(PAGES_AT_ONCE_MAX, limit * GROWTH);

/** The pages with the events of the range, oldest first; they may have other events, too. */
const readPages = async (source: TypeSource, range: EventRange, atMs: number): Promise<Uint8Array[]> => {
  const { snapshot, tenantKey, streamKey } = source;
  const typeHash = toTextHash(range.displayType);
  const head = snapshot.read(keys.policyHeadKey(tenantKey, streamKey, typeHash)) as Uint8Array | undefined;
  if (head === undefined) return [];
  const newest = await readLastPage(source, { displayType: range.displayType, typeHash, head });
  if (newest === undefined) return [];
  const pages = [newest.page];
  const untilMs = toReachMs(decodePageHeader(head).lagMs, atMs);
  const { gte, lte } = keys.policyPageRange(tenantKey, streamKey, typeHash, untilMs);
  const isReached = newest.key === undefined || Buffer.compare(newest.key, lte) > 0;
  let end: keys.KeyRange = isReached ? { lte } : { lt: newest.key! };
  let lastMs = latestUntil(newest.page, atMs);
  const first = range.fromMs === Number.NEGATIVE_INFINITY ? PAGES_AT_ONCE_MAX : PAGES_AT_ONCE;
  for (let limit = first; !isEnough(pages.at(-1)!, lastMs, range.fromMs); limit = toNextLimit(limit)) {
    const entries = await snapshot.readLast({ gte, ...end }, limit);
    for (const [key, page] of entries) {
      pages.push(page as Uint8Array);
      lastMs = Math.max(lastMs, latestUntil(page as Uint8Array, atMs));
      end = { lt: key };
    }
    if (entries.length < limit) break;
  }
  return pages.reverse();
};

const NO_CORRELATION = '\0'.repeat(HASH_BYTES);
// Pages of one step, so that a step has as many events as other steps have items.
const STEP_PAGES = STEP_ITEMS / PAGE_EVENTS;

const readCorrelation = (page: Buffer, offset: number): string | undefined => {
  const start = offset + EVENT_AT.correlation;
  const text = page.toString('latin1', start, start + HASH_BYTES);
  return text === NO_CORRELATION ? undefined : text;
};

/** The packed events of one display type. */
interface TypeEvents {
  readonly displayType: string;
  /** Oldest first; all but the last page are full. */
  readonly pages: readonly Buffer[];
  /** The reference of the first event; the others count up from it. */
  readonly firstRef: number;
}

function* toEvents({ displayType, pages, firstRef }: TypeEvents, atMs: number): Steps<PolicyEvent<number>[]> {
  const events: PolicyEvent<number>[] = [];
  let ref = firstRef;
  for (const [index, page] of pages.entries()) {
    if (index % STEP_PAGES === STEP_PAGES - 1) yield;
    for (let offset = HEADER_BYTES; offset < page.length; offset += EVENT_BYTES, ref += 1) {
      const acceptedMs = page.readDoubleLE(offset + EVENT_AT.accepted);
      if (acceptedMs > atMs) continue;
      const declaredMs = page.readDoubleLE(offset + EVENT_AT.declared);
      const times = { acceptedMs, declaredMs, judgedMs: acceptedMs };
      events.push({ ref, displayType, correlation: readCorrelation(page, offset), ...times });
    }
  }
  return events;
}

// Uncommitted events have negative references, to distinguish them from those of the index.
const toWaiting = (uncommitted: readonly UncommittedEvent[], atMs: number): PolicyEvent<number>[] =>
  uncommitted.flatMap(({ record, status }, index) => {
    const event = status === 'PENDING' ? toPackedEvent(record) : undefined;
    if (event === undefined || event.acceptedMs > atMs) return [];
    const { displayType, acceptedMs, declaredMs, correlation } = event;
    const token = correlation && Buffer.from(toTextHash(correlation)).toString('latin1');
    return [{ ref: -1 - index, displayType, acceptedMs, declaredMs, judgedMs: acceptedMs, correlation: token }];
  });

const readUuidAt = (page: Buffer, index: number): string => {
  const start = HEADER_BYTES + index * EVENT_BYTES + EVENT_AT.uuid;
  return formatUuid(page.toString('hex', start, start + UUID_BYTES));
};

const readUuid = ({ pages, firstRef }: TypeEvents, ref: number): string => {
  const index = ref - firstRef;
  return readUuidAt(pages[Math.floor(index / PAGE_EVENTS)]!, index % PAGE_EVENTS);
};

const readTypes = async (source: TypeSource, ranges: readonly EventRange[], atMs: number): Promise<TypeEvents[]> => {
  const all = await Promise.all(ranges.map((range) => readPages(source, range, atMs)));
  let firstRef = 0;
  return all.map((pages, index) => {
    const type = { displayType: ranges[index]!.displayType, firstRef, pages: pages.map(toBuffer) };
    firstRef += countEvents(pages);
    return type;
  });
};

/** What policy events are read from. */
export interface PolicyEventSource {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
  /** Identity of the asset. */
  readonly identity: string;
  /** The uncommitted events of the asset, oldest first. */
  readonly uncommitted: readonly UncommittedEvent[];
  /** Only events of the index with lower numbers count; undefined: all. */
  readonly before?: number | undefined;
}

/**
 * What policies use of those events of an asset that were accepted at or before `atMs` and are in the ranges, one for
 * each type.
 */
export const readPolicyEvents = async (
  of: PolicyEventSource,
  ranges: readonly EventRange[],
  atMs: number,
): Promise<Pick<PolicyEvents, 'ofType' | 'identityOf'>> => {
  const { tenantIdentity, identity, uncommitted } = of;
  const source = { ...of, tenantKey: toKey(tenantIdentity), streamKey: toKey(identity) };
  const types = await readTypes(source, ranges, atMs);
  const waiting = toWaiting(uncommitted, atMs);
  const ofType = new Map(types.map((type) => [type.displayType, type]));
  return {
    *ofType(displayType) {
      const type = ofType.get(displayType);
      if (type === undefined) throw new RangeError(`no events of the type ${JSON.stringify(displayType)} were read`);
      const events = yield* toEvents(type, atMs);
      for (const event of waiting) if (event.displayType === displayType) events.push(event);
      return events;
    },
    identityOf: (ref) => {
      if (ref < 0) return uncommitted[-1 - ref]!.record.identity;
      const type = types.findLast(({ firstRef }) => firstRef <= ref)!;
      return toEventIdentity(toUuid(identity), readUuid(type, ref));
    },
  };
};
