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
  /** The declared time, in milliseconds since the epoch. */
  readonly declaredMs: number;
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
export const EVENT_BYTES = 48;
/** Length of a page's header. */
export const HEADER_BYTES = 32;
/** Offsets of the fields of a packed event, in bytes. */
export const EVENT_AT = { accepted: 0, declared: 8, correlation: 16, uuid: 32 } as const;

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

const PAGE_BYTES = HEADER_BYTES + PAGE_EVENTS * EVENT_BYTES;

/** A head page while events are appended to it. */
export interface OpenPolicyPage {
  /** The page before; it must not be changed. */
  readonly stored: Uint8Array | undefined;
  /** The events after those, as `packEvent` encodes them. */
  readonly added: Uint8Array[];
  /** Bytes with these events. */
  length: number;
  header: PageHeader;
}

/** Opens a head page for changes; undefined is no page yet. */
export const openPolicyPage = (head: Uint8Array | undefined): OpenPolicyPage => ({
  stored: head,
  added: [],
  length: head?.length ?? HEADER_BYTES,
  header: head === undefined ? EMPTY : decodePageHeader(head),
});

/** The row of an open page. */
export const encodePolicyPage = ({ stored, added, length, header }: OpenPolicyPage): Uint8Array => {
  const row = Buffer.alloc(length);
  if (stored !== undefined) row.set(stored);
  let at = length - added.length * EVENT_BYTES;
  for (const event of added) {
    row.set(event, at);
    at += EVENT_BYTES;
  }
  row[0] = TAG;
  row.writeUInt32BE(header.page, HEADER_AT.page);
  row.writeDoubleBE(header.beforeMs, HEADER_AT.before);
  row.writeDoubleBE(header.latestMs, HEADER_AT.latest);
  row.writeDoubleBE(header.lagMs, HEADER_AT.lag);
  return row;
};

/** Whether an open page has no space for another event. */
export const isFullPage = ({ length }: OpenPolicyPage): boolean => length >= PAGE_BYTES;

/** The empty page after a full one. */
export const openNextPage = ({ header: { page, latestMs, lagMs } }: OpenPolicyPage): OpenPolicyPage => ({
  stored: undefined,
  added: [],
  length: HEADER_BYTES,
  header: { page: page + 1, beforeMs: latestMs, latestMs, lagMs },
});

const withEvent = ({ page, beforeMs, latestMs, lagMs }: PageHeader, acceptedMs: number): PageHeader => ({
  page,
  beforeMs,
  latestMs: Math.max(latestMs, acceptedMs),
  lagMs: Math.max(lagMs, latestMs - acceptedMs),
});

/** Encodes an event as a page has it. `hash` returns `HASH_BYTES` bytes. */
export const packEvent = (event: PackedEvent, hash: (text: string) => Uint8Array): Uint8Array => {
  const bytes = Buffer.alloc(EVENT_BYTES);
  // Little-endian, unlike the header.
  bytes.writeDoubleLE(event.acceptedMs, EVENT_AT.accepted);
  bytes.writeDoubleLE(event.declaredMs, EVENT_AT.declared);
  if (event.correlation !== undefined) bytes.set(hash(event.correlation), EVENT_AT.correlation);
  bytes.write(event.uuid.replaceAll('-', ''), EVENT_AT.uuid, 'hex');
  return bytes;
};

/** Appends an event, as `packEvent` encodes it, to an open page that is not full. */
export const appendEvent = (page: OpenPolicyPage, packed: Uint8Array, acceptedMs: number): void => {
  page.added.push(packed);
  page.header = withEvent(page.header, acceptedMs);
  page.length += EVENT_BYTES;
};
