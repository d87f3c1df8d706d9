// Block headers, and the bytes of their hashes. Consensus engines sign or hash variants of a header that differ in the
// extra data only, so the extra data is a parameter.
import { keccak256 } from '../encoding/keccak.ts';
import { decodeRlp, encodeRlp, isRlpBytes, isRlpList, isRlpNumber } from './rlp.ts';
import { assertReadable } from './unreadableEvidence.ts';

const HASH_BYTES = 32;
const NUMBER_BYTES_MAX = 32;
/** Far above the extra data of any chain: a Besu seal of 65 bytes for each of 200 validators is 17 KiB. */
const EXTRA_DATA_BYTES_MAX = 32 * 1024;

/** What a field holds: so many bytes, a number, or the extra data. */
export type HeaderFieldKind = number | 'quantity' | 'extraData';

type Field = readonly [name: string, kind: HeaderFieldKind];

// Order of the header's RLP, by the names of JSON-RPC: yellow paper, then EIP-1559, 4895, 4844 (two), 4788 and 7685. A
// header with one of these has all before it.
const FIELDS = [
  ['parentHash', HASH_BYTES],
  ['sha3Uncles', HASH_BYTES],
  ['miner', 20],
  ['stateRoot', HASH_BYTES],
  ['transactionsRoot', HASH_BYTES],
  ['receiptsRoot', HASH_BYTES],
  ['logsBloom', 256],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'extraData'],
  ['mixHash', HASH_BYTES],
  ['nonce', 8],
] as const satisfies readonly Field[];
const LATER_FIELDS = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', HASH_BYTES],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', HASH_BYTES],
  ['requestsHash', HASH_BYTES],
] as const satisfies readonly Field[];

const ALL_FIELDS = [...FIELDS, ...LATER_FIELDS];

/** Name of a field in JSON-RPC. */
export type HeaderFieldName = (typeof ALL_FIELDS)[number][0];

/** A header's fields as its RLP has them; numbers without leading zeros. */
export type BlockHeader = Readonly<Record<(typeof FIELDS)[number][0], Uint8Array>> &
  Readonly<Partial<Record<(typeof LATER_FIELDS)[number][0], Uint8Array>>>;

/** Every field with its kind, in the order of the header's RLP. */
export const HEADER_FIELDS: readonly (readonly [name: HeaderFieldName, kind: HeaderFieldKind])[] = ALL_FIELDS;

const fits = (bytes: Uint8Array, kind: HeaderFieldKind): boolean => {
  if (kind === 'quantity') return isRlpNumber(bytes, NUMBER_BYTES_MAX);
  return kind === 'extraData' ? bytes.length <= EXTRA_DATA_BYTES_MAX : bytes.length === kind;
};

/** The header with these fields; undefined when one that every header has is missing, or a field has a wrong form. */
export const toBlockHeader = (fields: ReadonlyMap<HeaderFieldName, Uint8Array>): BlockHeader | undefined => {
  const isComplete = FIELDS.every(([name]) => fields.has(name));
  const isShape = HEADER_FIELDS.every(([name, kind]) => !fields.has(name) || fits(fields.get(name)!, kind));
  return isComplete && isShape ? (Object.fromEntries(fields) as unknown as BlockHeader) : undefined;
};

/** The bytes of a header, with this extra data in place of its own. */
export const encodeBlockHeader = (header: BlockHeader, extraData = header.extraData): Uint8Array => {
  const fields = HEADER_FIELDS.filter(([name]) => header[name] !== undefined);
  return encodeRlp(fields.map(([name]) => (name === 'extraData' ? extraData : header[name]!)));
};

/**
 * The header that these bytes are the RLP of.
 * @throws UnreadableEvidence for anything else, and for a header with fields that are unknown here.
 */
export const decodeBlockHeader = (bytes: Uint8Array): BlockHeader => {
  const items = decodeRlp(bytes);
  assertReadable(isRlpList(items) && items.length <= HEADER_FIELDS.length, 'not a block header');
  assertReadable(
    items.every((item) => isRlpBytes(item)),
    'not a block header',
  );
  const header = toBlockHeader(new Map(items.map((item, at) => [HEADER_FIELDS[at]![0], item])));
  assertReadable(header !== undefined, 'not a block header');
  return header;
};

/** keccak256 of the header's RLP, with this extra data in place of its own: 32 bytes. */
export const hashHeader = (header: BlockHeader, extraData = header.extraData): Uint8Array =>
  keccak256(encodeBlockHeader(header, extraData));
