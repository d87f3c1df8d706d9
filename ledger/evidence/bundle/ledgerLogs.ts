// The contract's logs that prove something, decoded strictly from topics and data (contracts/IProvenanceLedger.sol).
import { keccak256 } from '../../encoding/keccak.ts';
import { isSameBytes, readUint64, toView } from '../bytes.ts';
import { toUtf8 } from '../lines.ts';
import type { ReceiptLog } from '../receipt.ts';

const WORD = 32;
const HEAD_BYTES = 28;
const UINT64_AT = WORD - 8;
const UINT32_AT = WORD - 4;

interface Attested<E> {
  readonly event: E;
  readonly tenant: Uint8Array;
  /** Key of the stream or record. */
  readonly key: Uint8Array;
  /** Head of the stream, hash of the record: 28 bytes. */
  readonly hash: Uint8Array;
  /** Number of records of the stream, position of the record in its stream. */
  readonly count: number;
}

/** A log of the contract. */
export type LedgerLog =
  | {
      readonly event: 'RecordAppended';
      readonly tenant: Uint8Array;
      /** Key of its stream. */
      readonly stream: Uint8Array;
      readonly digest: Uint8Array;
      readonly head: Uint8Array;
      readonly sequence: number;
      readonly payload: Uint8Array;
    }
  | { readonly event: 'TenantAttested'; readonly tenant: Uint8Array; readonly size: number; readonly root: Uint8Array }
  | Attested<'StreamAttested'>
  | Attested<'RecordAttested'>;

type Topics = readonly Uint8Array[];
type Decode = (topics: Topics, data: Uint8Array) => LedgerLog | undefined;

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

const readWord = (data: Uint8Array, at: number): Uint8Array => data.subarray(at * WORD, (at + 1) * WORD);

const readUint32 = (word: Uint8Array): number | undefined =>
  isZero(word.subarray(0, UINT32_AT)) ? toView(word).getUint32(UINT32_AT) : undefined;

const readSize = (word: Uint8Array): number | undefined =>
  isZero(word.subarray(0, UINT64_AT)) ? readUint64(word, UINT64_AT) : undefined;

const readHead = (word: Uint8Array): Uint8Array | undefined =>
  isZero(word.subarray(HEAD_BYTES)) ? word.subarray(0, HEAD_BYTES) : undefined;

const ADDRESS_AT = WORD - 20;
/** Author, sequence, digest, head, offset of the payload. */
const RECORD_WORDS = 5;

// The payload follows the words: its length, its bytes, and zeros to the end of a word.
const readPayload = (offset: Uint8Array, payload: Uint8Array): Uint8Array | undefined => {
  if (payload.length < WORD || readSize(offset) !== RECORD_WORDS * WORD) return undefined;
  const length = readSize(readWord(payload, 0));
  const isWhole = length !== undefined && payload.length === WORD + Math.ceil(length / WORD) * WORD;
  return isWhole && isZero(payload.subarray(WORD + length)) ? payload.subarray(WORD, WORD + length) : undefined;
};

const decodeRecord: Decode = ([, tenant, stream], data) => {
  if (data.length < RECORD_WORDS * WORD || !isZero(data.subarray(0, ADDRESS_AT))) return undefined;
  const payload = readPayload(readWord(data, 4), data.subarray(RECORD_WORDS * WORD));
  const [sequence, head] = [readUint32(readWord(data, 1)), readHead(readWord(data, 3))];
  if ([tenant, stream, sequence, head, payload].some((part) => part === undefined)) return undefined;
  return {
    event: 'RecordAppended',
    tenant: tenant!,
    stream: stream!,
    sequence: sequence!,
    digest: readWord(data, 2),
    head: head!,
    payload: payload!,
  };
};

const decodeTenant: Decode = ([, tenant], data) => {
  if (data.length !== 2 * WORD || tenant === undefined) return undefined;
  const size = readSize(readWord(data, 0));
  return size === undefined ? undefined : { event: 'TenantAttested', tenant, size, root: readWord(data, 1) };
};

const decodeAttested =
  (event: 'StreamAttested' | 'RecordAttested'): Decode =>
  ([, tenant, key], data) => {
    if (data.length !== 2 * WORD) return undefined;
    const [hash, count] = [readHead(readWord(data, 0)), readUint32(readWord(data, 1))];
    if (tenant === undefined || key === undefined || hash === undefined || count === undefined) return undefined;
    return { event, tenant, key, hash, count };
  };

const EVENTS: readonly (readonly [signature: string, topics: number, decode: Decode])[] = [
  ['RecordAppended(bytes32,bytes32,bytes32,address,uint32,bytes32,bytes28,bytes)', 4, decodeRecord],
  ['TenantAttested(bytes32,uint64,bytes32)', 2, decodeTenant],
  ['StreamAttested(bytes32,bytes32,bytes28,uint32)', 3, decodeAttested('StreamAttested')],
  ['RecordAttested(bytes32,bytes32,bytes28,uint32)', 3, decodeAttested('RecordAttested')],
];

const DECODERS = EVENTS.map(([signature, topics, decode]) => ({
  topic: keccak256(toUtf8(signature)),
  topics,
  decode,
}));

/** First topics of the logs that have a meaning, 32 bytes each. */
export const LEDGER_TOPICS: readonly Uint8Array[] = DECODERS.map(({ topic }) => topic);

/** The meaning of a log that the contract wrote; undefined for a log that proves nothing. */
export const decodeLedgerLog = ({ topics, data }: ReceiptLog): LedgerLog | undefined => {
  const decoder = DECODERS.find(({ topic }) => topics[0] !== undefined && isSameBytes(topic, topics[0]));
  return decoder?.topics === topics.length ? decoder.decode(topics, data) : undefined;
};
