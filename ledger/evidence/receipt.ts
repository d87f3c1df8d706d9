// Receipts of transactions, as the leaves of a block's receipt trie: legacy ones, and typed ones (EIP-2718), whose
// first byte is the type.
import { concatBytes, isSameBytes } from './bytes.ts';
import { decodeRlp, encodeRlp, fromRlpNumber, isRlpBytes, isRlpList, type RlpItem, toRlpNumber } from './rlp.ts';
import { assertReadable } from './unreadableEvidence.ts';

const TYPE_MAX = 0x7f;
const LIST = 0xc0;
const BLOOM_BYTES = 256;
const ADDRESS_BYTES = 20;
const TOPIC_BYTES = 32;
const TOPICS_MAX = 4;
const SUCCESS = Uint8Array.of(1);
const FAILURE = new Uint8Array();

/** What a contract logged. */
export interface ReceiptLog {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** Up to four, of 32 bytes each. */
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** The result of a transaction. */
export interface Receipt {
  /** 0 for a legacy transaction, else the type of EIP-2718. */
  readonly type: number;
  readonly isSuccessful: boolean;
  /** Gas of this transaction and of those before it in the block. */
  readonly cumulativeGasUsed: number;
  /** 256 bytes. */
  readonly bloom: Uint8Array;
  readonly logs: readonly ReceiptLog[];
}

/** The bytes of a receipt. */
export const encodeReceipt = ({ type, isSuccessful, cumulativeGasUsed, bloom, logs }: Receipt): Uint8Array => {
  const items = logs.map(({ address, topics, data }) => [address, topics, data]);
  const body = encodeRlp([isSuccessful ? SUCCESS : FAILURE, toRlpNumber(cumulativeGasUsed), bloom, items]);
  return type === 0 ? body : concatBytes([Uint8Array.of(type), body]);
};

const decodeLog = (item: RlpItem): ReceiptLog => {
  assertReadable(isRlpList(item) && item.length === 3, 'not a log of a receipt');
  const [address, topics, data] = item;
  const isShape = isRlpBytes(address, ADDRESS_BYTES) && isRlpList(topics) && isRlpBytes(data);
  assertReadable(isShape && topics.length <= TOPICS_MAX, 'not a log of a receipt');
  const isTopic = (topic: RlpItem): topic is Uint8Array => isRlpBytes(topic, TOPIC_BYTES);
  assertReadable(topics.every(isTopic), 'not a topic of a log');
  return { address, topics, data };
};

/**
 * The receipt in these bytes.
 * @throws UnreadableEvidence for anything else, and for receipts with a state root in place of the status.
 */
export const decodeReceipt = (bytes: Uint8Array): Receipt => {
  const [first = LIST] = bytes;
  const type = first <= TYPE_MAX ? first : 0;
  const items = decodeRlp(type === 0 ? bytes : bytes.subarray(1));
  assertReadable(isRlpList(items) && items.length === 4, 'not a receipt');
  const [status, gas, bloom, logs] = items;
  const isShape = isRlpBytes(status) && isRlpBytes(gas) && isRlpBytes(bloom, BLOOM_BYTES) && isRlpList(logs);
  assertReadable(isShape, 'not a receipt');
  const isSuccessful = isSameBytes(status, SUCCESS);
  assertReadable(isSuccessful || status.length === 0, 'a receipt without a status');
  return { type, isSuccessful, cumulativeGasUsed: fromRlpNumber(gas), bloom, logs: logs.map(decodeLog) };
};

/**
 * The log at an index of a receipt, if the transaction succeeded and this contract logged it; undefined otherwise.
 * @param contract address of 20 bytes.
 */
export const findContractLog = (
  { isSuccessful, logs }: Receipt,
  index: number,
  contract: Uint8Array,
): ReceiptLog | undefined => {
  const log = isSuccessful ? logs[index] : undefined;
  return log !== undefined && isSameBytes(log.address, contract) ? log : undefined;
};
