// What compliance policies look at in an asset's events, packed side by side in the order of the ledger: so a policy is judged over 100,000 events
// without reading one of them.

import type { Attributes } from '../ledger/attributes.ts';
import type { PolicyEvent } from '../ledger/compliance/policyEvent.ts';
import type { EventRecord } from '../ledger/eventRecord.ts';
import { toKey } from '../ledger/identity.ts';
import { keccak256 } from '../ledger/keccak.ts';
import * as keys from './keys.ts';
import type { PolicyEvents } from './ledgerView.ts';
import type { Snapshot } from './store.ts';
import type { UncommittedEvent } from './uncommitted.ts';

/** An event as its page has it. */
export interface PackedEvent {
  readonly number: number;
  readonly acceptedMs: number;
  readonly displayType: string;
  readonly correlation: string | undefined;
}

/** Events on one page. */
export const PAGE_EVENTS = 64;

const TAG = 8;
const HASH_BYTES = 16;
// Every field begins at a multiple of its own size: 8 bytes time, 4 bytes number, 4 bytes nothing, two hashes.
const AT = { accepted: 0, number: 8, type: 16, correlation: 32 } as const;
const EVENT_BYTES = 48;
const EVENT_WORDS = EVENT_BYTES / Uint32Array.BYTES_PER_ELEMENT;
const HEADER_BYTES = 1;

const textOf = (attributes: Attributes, name: string): string | undefined => {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** What policies look at in an event; undefined where it has no display type, so that none does (decisions.md point 42). */
export const toPackedEvent = (record: EventRecord, number: number): PackedEvent | undefined => {
  const { event_attributes } = record;
  const displayType = textOf(event_attributes, 'arc_display_type');
  if (displayType === undefined) return undefined;
  const correlation =
    textOf(event_attributes, 'arc_correlation_id') ?? textOf(event_attributes, 'arc_correlation_value');
  return { number, acceptedMs: Date.parse(record.timestamp_accepted), displayType, correlation };
};

// Texts are compared by the first half of their Keccak-256: 128 bits, which nobody finds twice.
const toHash = (text: string): Uint8Array => keccak256(Buffer.from(text)).subarray(0, HASH_BYTES);

/** A page with one more event at its end. */
export const appendPackedEvent = (row: Uint8Array | undefined, event: PackedEvent): Uint8Array => {
  const offset = row?.length ?? HEADER_BYTES;
  const next = new Uint8Array(offset + EVENT_BYTES);
  next[0] = TAG;
  if (row !== undefined) next.set(row);
  const bytes = new Uint8Array(EVENT_BYTES);
  new Float64Array(bytes.buffer)[AT.accepted / 8] = event.acceptedMs;
  new Uint32Array(bytes.buffer)[AT.number / 4] = event.number;
  bytes.set(toHash(event.displayType), AT.type);
  if (event.correlation !== undefined) bytes.set(toHash(event.correlation), AT.correlation);
  next.set(bytes, offset);
  return next;
};

interface Packed {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
  readonly times: Float64Array;
}

const readPacked = async (snapshot: Snapshot, tenantKey: Uint8Array, streamKey: Uint8Array): Promise<Packed> => {
  const entries = await snapshot.readFirst(keys.policyEventsRange(tenantKey, streamKey), Number.POSITIVE_INFINITY);
  const pages = entries.map(([, row]) => (row as Uint8Array).subarray(HEADER_BYTES));
  const { buffer } = new Uint8Array(pages.reduce((sum, { length }) => sum + length, 0));
  const bytes = Buffer.from(buffer);
  let offset = 0;
  for (const page of pages) {
    bytes.set(page, offset);
    offset += page.length;
  }
  return { bytes, words: new Uint32Array(buffer), times: new Float64Array(buffer) };
};

const NO_CORRELATION = '\0'.repeat(HASH_BYTES);

const readCorrelation = ({ bytes }: Packed, at: number): string | undefined => {
  const start = at * EVENT_BYTES + AT.correlation;
  const text = bytes.toString('latin1', start, start + HASH_BYTES);
  return text === NO_CORRELATION ? undefined : text;
};

// Eleven words an event are skipped for one that is compared, as long as it differs.
const findOfType = (packed: Packed, displayType: string, atMs: number): PolicyEvent<number>[] => {
  const { words, times } = packed;
  const hash = new Uint32Array(Uint8Array.from(toHash(displayType)).buffer);
  const found: PolicyEvent<number>[] = [];
  for (let at = 0, word = 0; word < words.length; at += 1, word += EVENT_WORDS) {
    const type = word + AT.type / 4;
    if (words[type] !== hash[0] || words[type + 1] !== hash[1]) continue;
    if (words[type + 2] !== hash[2] || words[type + 3] !== hash[3]) continue;
    const acceptedMs = times[word / 2]!;
    if (acceptedMs > atMs) continue;
    found.push({
      ref: words[word + AT.number / 4]!,
      displayType,
      correlation: readCorrelation(packed, at),
      acceptedMs,
    });
  }
  return found;
};

// Events that wait for the chain are known by negative references, so that they are told from numbers.
const toWaiting = (uncommitted: readonly UncommittedEvent[], atMs: number): PolicyEvent<number>[] =>
  uncommitted.flatMap(({ record, status }, index) => {
    const event = status === 'PENDING' ? toPackedEvent(record, -1 - index) : undefined;
    if (event === undefined || event.acceptedMs > atMs) return [];
    const { number, displayType, acceptedMs, correlation } = event;
    const token = correlation && Buffer.from(toHash(correlation)).toString('latin1');
    return [{ ref: number, displayType, acceptedMs, correlation: token }];
  });

export interface PolicyEventSource {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
  /** Of the asset. */
  readonly identity: string;
  /** Of the asset, oldest first. */
  readonly uncommitted: readonly UncommittedEvent[];
}

/** What policies look at in the events of an asset that were accepted at or before a time. */
export const readPolicyEvents = async (
  { snapshot, tenantIdentity, identity, uncommitted }: PolicyEventSource,
  atMs: number,
): Promise<Pick<PolicyEvents, 'ofType'>> => {
  const packed = await readPacked(snapshot, toKey(tenantIdentity), toKey(identity));
  const waiting = toWaiting(uncommitted, atMs);
  const known = new Map<string, readonly PolicyEvent<number>[]>();
  return {
    ofType: (displayType) => {
      const events = known.get(displayType) ?? [
        ...findOfType(packed, displayType, atMs),
        ...waiting.filter((event) => event.displayType === displayType),
      ];
      known.set(displayType, events);
      return events;
    },
  };
};
