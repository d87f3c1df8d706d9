// The rows of policy pages: the events of one display type of an asset, packed in ledger order, in a head page that
// grows and full pages before it. Times of acceptance may be out of order. Each page has the latest time of acceptance
// before it, and the head has the greatest lag of an event behind an earlier one, so that one seek finds the last page
// that can have events of a given time.

/** What policies use of an event. */
export interface PackedEvent {
  /** UUID of the event; its asset's UUID is not part of it. */
  readonly uuid: string;
  /** Milliseconds since the epoch. */
  readonly acceptedMs: number;
  readonly displayType: string;
  readonly correlation: string | undefined;
}

/** Events on one page. */
export const PAGE_EVENTS = 64;
/** The earliest possible time of acceptance, in milliseconds since the epoch: that of ECMAScript. */
export const EARLIEST_MS = -8.64e15;
/** The latest possible time of acceptance. */
export const LATEST_MS = 8.64e15;
/** Length of the hash that represents a correlation id; an event without one has zeros. */
export const HASH_BYTES = 16;
/** Length of a packed event. */
export const EVENT_BYTES = 40;
/** Length of a page's header. */
export const HEADER_BYTES = 32;
/** Offsets of the fields of a packed event, in bytes. */
export const EVENT_AT = { accepted: 0, correlation: 8, uuid: 24 } as const;

const TAG = 8;
const HEADER_AT = { page: 4, before: 8, latest: 16, lag: 24 } as const;

/** The header of a page. */
export interface PageHeader {
  /** Number of pages before it. */
  readonly page: number;
  /** The latest time of acceptance on the pages before it. */
  readonly beforeMs: number;
  /** The latest time of acceptance on these pages and on this one. */
  readonly latestMs: number;
  /** The longest time by which an event was accepted before one that precedes it in the ledger. */
  readonly lagMs: number;
}

const EMPTY: PageHeader = { page: 0, beforeMs: EARLIEST_MS, latestMs: EARLIEST_MS, lagMs: 0 };

const viewOf = (row: Uint8Array): DataView => new DataView(row.buffer, row.byteOffset, row.byteLength);

/** Decodes the header of a page. */
export const decodePageHeader = (row: Uint8Array): PageHeader => {
  const view = viewOf(row);
  return {
    page: view.getUint32(HEADER_AT.page),
    beforeMs: view.getFloat64(HEADER_AT.before),
    latestMs: view.getFloat64(HEADER_AT.latest),
    lagMs: view.getFloat64(HEADER_AT.lag),
  };
};

const writeHeader = (row: Uint8Array, { page, beforeMs, latestMs, lagMs }: PageHeader): void => {
  const view = viewOf(row);
  row[0] = TAG;
  view.setUint32(HEADER_AT.page, page);
  view.setFloat64(HEADER_AT.before, beforeMs);
  view.setFloat64(HEADER_AT.latest, latestMs);
  view.setFloat64(HEADER_AT.lag, lagMs);
};

const isFull = (row: Uint8Array): boolean => row.length >= HEADER_BYTES + PAGE_EVENTS * EVENT_BYTES;

const toNextPage = ({ page, latestMs, lagMs }: PageHeader): PageHeader => ({
  page: page + 1,
  beforeMs: latestMs,
  latestMs,
  lagMs,
});

const withEvent = (header: PageHeader, acceptedMs: number): PageHeader => ({
  ...header,
  latestMs: Math.max(header.latestMs, acceptedMs),
  lagMs: Math.max(header.lagMs, header.latestMs - acceptedMs),
});

const writeEvent = (row: Uint8Array, offset: number, event: PackedEvent, hash: (text: string) => Uint8Array): void => {
  // Little-endian, unlike the header.
  viewOf(row).setFloat64(offset + EVENT_AT.accepted, event.acceptedMs, true);
  if (event.correlation !== undefined) row.set(hash(event.correlation), offset + EVENT_AT.correlation);
  row.set(Buffer.from(event.uuid.replaceAll('-', ''), 'hex'), offset + EVENT_AT.uuid);
};

/** The head page after an event was appended; and the previous head, if it was full. */
export interface AppendedPage {
  readonly head: Uint8Array;
  readonly full: Uint8Array | undefined;
}

/** Appends an event to a head page; undefined is no page yet. `hash` returns `HASH_BYTES` bytes. */
export const appendPackedEvent = (
  head: Uint8Array | undefined,
  event: PackedEvent,
  hash: (text: string) => Uint8Array,
): AppendedPage => {
  const header = head === undefined ? EMPTY : decodePageHeader(head);
  const full = head !== undefined && isFull(head) ? head : undefined;
  const offset = head === undefined || full !== undefined ? HEADER_BYTES : head.length;
  const next = new Uint8Array(offset + EVENT_BYTES);
  if (head !== undefined && full === undefined) next.set(head);
  writeHeader(next, withEvent(full === undefined ? header : toNextPage(header), event.acceptedMs));
  writeEvent(next, offset, event, hash);
  return { head: next, full };
};
