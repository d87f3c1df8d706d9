// The events of one display type of an asset, packed side by side in the order of the ledger: a head page that grows, and pages that were full. Each
// page knows the latest time of acceptance before it, and the head how far behind that an event ever came, so that the end of any
// time is found by a seek though times may come in any order.

/** What policies look at in an event. */
export interface PackedEvent {
  /** UUID of the event, without that of its asset. */
  readonly uuid: string;
  /** Milliseconds since the epoch. */
  readonly acceptedMs: number;
  readonly displayType: string;
  readonly correlation: string | undefined;
}

/** Events on one page. */
export const PAGE_EVENTS = 64;
/** No time of acceptance is earlier, in milliseconds since the epoch. */
export const EARLIEST_MS = -8.64e15;
/** No time of acceptance is later. */
export const LATEST_MS = 8.64e15;
/** A correlation id is known by so many bytes of its hash; none by as many zeros. */
export const HASH_BYTES = 16;
export const EVENT_BYTES = 40;
export const HEADER_BYTES = 32;
/** Where an event has what, in bytes from its beginning. */
export const EVENT_AT = { accepted: 0, correlation: 8, uuid: 24 } as const;

const TAG = 8;
const HEADER_AT = { page: 4, before: 8, latest: 16, lag: 24 } as const;

/** What a page says of itself. */
export interface PageHeader {
  /** Pages before it. */
  readonly page: number;
  /** The latest time at which an event of the pages before was accepted. */
  readonly beforeMs: number;
  /** The latest of these and of its own. */
  readonly latestMs: number;
  /** By how much an event was accepted before one that precedes it in the ledger, at most. */
  readonly lagMs: number;
}

const EMPTY: PageHeader = { page: 0, beforeMs: EARLIEST_MS, latestMs: EARLIEST_MS, lagMs: 0 };

const viewOf = (row: Uint8Array): DataView => new DataView(row.buffer, row.byteOffset, row.byteLength);

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

/** A correlation id as `hash` gives it, and the UUID, behind one another. */
const writeEvent = (row: Uint8Array, offset: number, event: PackedEvent, hash: (text: string) => Uint8Array): void => {
  // Little-endian, as a Float64Array of this machine and any other that Node runs on has it.
  viewOf(row).setFloat64(offset + EVENT_AT.accepted, event.acceptedMs, true);
  if (event.correlation !== undefined) row.set(hash(event.correlation), offset + EVENT_AT.correlation);
  row.set(Buffer.from(event.uuid.replaceAll('-', ''), 'hex'), offset + EVENT_AT.uuid);
};

/** The head page after an event, and the page that was full before it, where there is one. */
export interface AppendedPage {
  readonly head: Uint8Array;
  readonly full: Uint8Array | undefined;
}

/** Puts an event behind those of a head page. `hash` gives `HASH_BYTES` bytes. */
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
