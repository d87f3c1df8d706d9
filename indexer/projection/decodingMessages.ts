// The messages between the main thread and a thread that decodes logs. They consist of few large arrays, because
// copying many small objects to another thread takes longer than decoding them. A text of a batch is sent once.
import type { RecordLog } from '../../chain/port.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { EVENT_BYTES } from '../rows/policyPages.ts';
import { toDigest } from './checkLogs.ts';
import { type AssetEffect, type DecodedEvent, NO_EFFECT } from './decodedEvent.ts';
import { type DecodableLog, type DecodedRecord, decodeLog, type OtherRecord, toTenantKey } from './decodedRecord.ts';
import type { DecodedLogs } from './logDecoder.ts';

/** The logs of a batch. The payloads are one after the other; `payloadEnds` has the end of each. */
export interface LogsMessage {
  readonly payloads: Uint8Array<ArrayBuffer>;
  readonly payloadEnds: Uint32Array<ArrayBuffer>;
  readonly tenantKeys: readonly Hex[];
  readonly streamKeys: readonly Hex[];
  readonly recordKeys: readonly Hex[];
  readonly authors: readonly Hex[];
  readonly transactionHashes: readonly Hex[];
  /** The domain separator of the digests to compute; undefined: none. */
  readonly domain: Uint8Array | undefined;
}

/** Encodes the part of logs that is decoded. `domain`: the contract's, to compute digests. */
export const encodeLogs = (logs: readonly DecodableLog[], domain?: Uint8Array): LogsMessage => {
  const payloadEnds = new Uint32Array(logs.length);
  let length = 0;
  for (const [at, { payload }] of logs.entries()) {
    length += payload.length;
    payloadEnds[at] = length;
  }
  const payloads = new Uint8Array(length);
  for (const [at, { payload }] of logs.entries()) payloads.set(payload, payloadEnds[at]! - payload.length);
  return {
    payloads,
    payloadEnds,
    tenantKeys: logs.map(({ tenantKey }) => tenantKey),
    streamKeys: logs.map(({ streamKey }) => streamKey),
    recordKeys: logs.map(({ recordKey }) => recordKey),
    authors: logs.map(({ author }) => author),
    transactionHashes: logs.map(({ transactionHash }) => transactionHash),
    // A copy, because the buffers of a message are moved.
    domain: domain && Uint8Array.from(domain),
  };
};

/** Decodes a message to the logs that it was made from. */
export const decodeLogs = (message: LogsMessage): DecodableLog[] =>
  message.tenantKeys.map((tenantKey, at) => ({
    tenantKey,
    streamKey: message.streamKeys[at]!,
    recordKey: message.recordKeys[at]!,
    author: message.authors[at]!,
    transactionHash: message.transactionHashes[at]!,
    payload: message.payloads.subarray(message.payloadEnds[at - 1] ?? 0, message.payloadEnds[at]!),
  }));

const KEY_BYTES = 32;
const DIGEST_BYTES = 32;
/** Numbers of texts before an event's terms: behaviour, operation, and the display type for policies. */
const LEADING_TEXTS = 3;
const NOT_A_RECORD = 0;
const EVENT = 1;
const OTHER = 2;

/** The records of a batch of logs. Arrays by event have the events alone. */
export interface RecordsMessage {
  /** By log: whether it is an event, another record or none. */
  readonly kinds: Uint8Array<ArrayBuffer>;
  /** By log: its digest; empty if none was to be computed. */
  readonly digests: Uint8Array<ArrayBuffer>;
  /** By record: the stream's key and the record's. */
  readonly keys: Uint8Array<ArrayBuffer>;
  /** Each text once. */
  readonly texts: readonly string[];
  /** By event: the numbers of its texts. Number 0 is no text. */
  readonly textNumbers: Uint32Array<ArrayBuffer>;
  /** By event: the end of its numbers in `textNumbers`. */
  readonly textEnds: Uint32Array<ArrayBuffer>;
  /** By event: the times of acceptance and declaration. */
  readonly times: Float64Array<ArrayBuffer>;
  /** By event: the event as a policy page has it, or zeros. */
  readonly packed: Uint8Array<ArrayBuffer>;
  /** By event: undefined for `NO_EFFECT`. */
  readonly effects: readonly (AssetEffect | undefined)[];
  /** The records that are not events. */
  readonly others: readonly OtherRecord[];
}

// Numbers texts from 1, each once.
const createNumbering = () => {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  return {
    texts,
    numberOf: (text: string): number => {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      const number = texts.push(text);
      numbers.set(text, number);
      return number;
    },
  };
};

type Decoded = DecodedRecord<DecodableLog>;
const isEvent = (content: Decoded['content']): content is DecodedEvent => content.type === 'event';

const kindOf = (record: Decoded | undefined): number => {
  if (record === undefined) return NOT_A_RECORD;
  return isEvent(record.content) ? EVENT : OTHER;
};

const encodeTexts = (events: readonly DecodedEvent[]): Pick<RecordsMessage, 'texts' | 'textNumbers' | 'textEnds'> => {
  const { texts, numberOf } = createNumbering();
  const length = events.reduce((sum, { terms }) => sum + LEADING_TEXTS + terms.length, 0);
  const [textNumbers, textEnds] = [new Uint32Array(length), new Uint32Array(events.length)];
  let end = 0;
  for (const [at, { behaviour, operation, policyEvent, terms }] of events.entries()) {
    textNumbers[end] = numberOf(behaviour);
    textNumbers[end + 1] = numberOf(operation);
    textNumbers[end + 2] = policyEvent === undefined ? 0 : numberOf(policyEvent.displayType);
    end += LEADING_TEXTS;
    for (const term of terms) {
      textNumbers[end] = numberOf(term);
      end += 1;
    }
    textEnds[at] = end;
  }
  return { texts, textNumbers, textEnds };
};

const encodeKeys = (records: readonly Decoded[]): Uint8Array<ArrayBuffer> => {
  const keys = new Uint8Array(records.length * 2 * KEY_BYTES);
  for (const [at, { streamKey, recordKey }] of records.entries()) {
    keys.set(streamKey, at * 2 * KEY_BYTES);
    keys.set(recordKey, (at * 2 + 1) * KEY_BYTES);
  }
  return keys;
};

const encodeEvents = (events: readonly DecodedEvent[]): Pick<RecordsMessage, 'times' | 'packed' | 'effects'> => {
  const times = new Float64Array(events.length * 2);
  const packed = new Uint8Array(events.length * EVENT_BYTES);
  for (const [at, { acceptedMs, declaredMs, policyEvent }] of events.entries()) {
    times[at * 2] = acceptedMs;
    times[at * 2 + 1] = declaredMs;
    if (policyEvent !== undefined) packed.set(policyEvent.packed, at * EVENT_BYTES);
  }
  return { times, packed, effects: events.map(({ effect }) => (effect === NO_EFFECT ? undefined : effect)) };
};

const encodeDigests = (
  logs: readonly DecodableLog[],
  decoded: readonly (Decoded | undefined)[],
  domain: Uint8Array | undefined,
): Uint8Array<ArrayBuffer> => {
  const digests = new Uint8Array(domain === undefined ? 0 : logs.length * DIGEST_BYTES);
  if (domain === undefined) return digests;
  for (const [at, log] of logs.entries()) digests.set(toDigest(domain, log, decoded[at]), at * DIGEST_BYTES);
  return digests;
};

/** Decodes the logs and encodes their records, and their digests in the contract's domain. */
export const encodeRecords = (logs: readonly DecodableLog[], domain?: Uint8Array): RecordsMessage => {
  const decoded = logs.map(decodeLog);
  const records = decoded.filter((record) => record !== undefined);
  const contents = records.map(({ content }) => content);
  const events = contents.filter(isEvent);
  return {
    kinds: Uint8Array.from(decoded, kindOf),
    digests: encodeDigests(logs, decoded, domain),
    keys: encodeKeys(records),
    ...encodeTexts(events),
    ...encodeEvents(events),
    others: contents.filter((content) => !isEvent(content)),
  };
};

/** The buffers of a message, which are moved to the other thread instead of copied. */
export const buffersOf = (message: LogsMessage | RecordsMessage): ArrayBuffer[] =>
  Object.values(message).flatMap((value) => (ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : []));

const createEventDecoder = ({ texts, textNumbers, textEnds, times, packed, effects }: RecordsMessage) => {
  const textAt = (at: number): string => texts[textNumbers[at]! - 1]!;
  const toTerms = (from: number, end: number): string[] => {
    const terms = new Array<string>(end - from);
    for (let at = from; at < end; at += 1) terms[at - from] = textAt(at);
    return terms;
  };
  const toPolicyEvent = (event: number, typeAt: number): DecodedEvent['policyEvent'] =>
    textNumbers[typeAt] === 0
      ? undefined
      : { displayType: textAt(typeAt), packed: packed.subarray(event * EVENT_BYTES, (event + 1) * EVENT_BYTES) };
  return (event: number): DecodedEvent => {
    const start = textEnds[event - 1] ?? 0;
    return {
      type: 'event',
      behaviour: textAt(start),
      operation: textAt(start + 1),
      acceptedMs: times[event * 2]!,
      declaredMs: times[event * 2 + 1]!,
      effect: effects[event] ?? NO_EFFECT,
      policyEvent: toPolicyEvent(event, start + 2),
      terms: toTerms(start + LEADING_TEXTS, textEnds[event]!),
    };
  };
};

/** Decodes a message to the records of these logs: the same as `decodeLog` returns for each. */
export const decodeRecords = (message: RecordsMessage, logs: readonly RecordLog[]): DecodedLogs => {
  const decodeEvent = createEventDecoder(message);
  const { kinds, keys, others } = message;
  let [events, resources] = [0, 0];
  const toRecord = (log: RecordLog, content: DecodedRecord['content']): DecodedRecord => {
    const at = (events + resources - 1) * 2 * KEY_BYTES;
    const [streamKey, recordKey] = [
      keys.subarray(at, at + KEY_BYTES),
      keys.subarray(at + KEY_BYTES, at + 2 * KEY_BYTES),
    ];
    return { log, tenantKey: toTenantKey(log.tenantKey), streamKey, recordKey, content };
  };
  const records = logs.map((log, at) => {
    if (kinds[at] === EVENT) return toRecord(log, decodeEvent(events++));
    return kinds[at] === OTHER ? toRecord(log, others[resources++]!) : undefined;
  });
  const digestOf = (at: number): Uint8Array => message.digests.subarray(at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES);
  return { records, digestOf: message.digests.length === 0 ? undefined : digestOf };
};
