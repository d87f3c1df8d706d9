// `eth_getLogs` for third parties: a limited range of final blocks, read in short runs, so that a query with a gigabyte
// of logs exhausts neither memory nor the event loop.
import { RPC_CODE, RpcError, refuseParams } from '../../jsonRpc/rpcError.ts';
import { toQuantity } from '../../jsonRpc/toQuantity.ts';
import { decodeObjectParam, decodeQuantityParam } from './publicParams.ts';

/** Largest number of blocks in a query. */
export const LOG_BLOCKS_MAX = 10_000;
/** Largest number of bytes of JSON in an answer. */
export const LOG_BYTES_MAX = 16 * 2 ** 20;

const BLOCKS_PER_READ = 32;
const ADDRESSES_MAX = 100;
const TOPICS_MAX = 4;
const TOPIC_ALTERNATIVES_MAX = 100;
const FIELDS = new Set(['address', 'topics', 'fromBlock', 'toBlock', 'blockHash']);
const HASH = /^0x[0-9a-f]{64}$/i;
const HEAD_TAGS = new Set<unknown>([undefined, null, 'latest', 'pending', 'safe', 'finalized']);

type Filter = Readonly<Record<string, unknown>>;
/** Answers a filter whose blocks are numbers, or one with a hash, with the JSON of a list. */
export type ReadLogs = (filter: Filter) => Promise<string>;

/** A filter of logs. */
export interface LogFilter {
  /** Its addresses and topics, as the node takes them. */
  readonly matched: Filter;
  /** Undefined: it has a range. */
  readonly blockHash: string | undefined;
  /** Numbers of its first and last block; undefined: the newest block, whichever that is then. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

const assertAtMost = (list: unknown, max: number, name: string): void => {
  if (Array.isArray(list) && list.length > max) throw refuseParams(`more than ${max} ${name}`);
};

const decodeFilter = (value: unknown): Filter => {
  const filter = decodeObjectParam(value, 'the filter');
  const unknown = Object.keys(filter).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) throw refuseParams(`the filter has an unknown field: ${unknown}`);
  assertAtMost(filter.address, ADDRESSES_MAX, 'addresses');
  assertAtMost(filter.topics, TOPICS_MAX, 'topics');
  for (const topic of Array.isArray(filter.topics) ? filter.topics : []) {
    assertAtMost(topic, TOPIC_ALTERNATIVES_MAX, 'alternatives for a topic');
  }
  return filter;
};

// The newest final block, whichever it is then.
const isHead = (value: unknown): boolean => HEAD_TAGS.has(value);

const decodeBlockParam = (value: unknown, name: string): number =>
  value === 'earliest' ? 0 : decodeQuantityParam(value, name);

// The node takes null for a field that is left out: a filter with such a hash would have a range of any length.
const decodeHash = ({ blockHash, fromBlock, toBlock }: Filter): string | undefined => {
  if (blockHash === undefined || blockHash === null) return undefined;
  if (typeof blockHash !== 'string' || !HASH.test(blockHash)) throw refuseParams('blockHash is not a hash');
  if ((fromBlock ?? toBlock ?? undefined) !== undefined) throw refuseParams('the filter has a blockHash and a range');
  return blockHash;
};

/**
 * Decodes the filter of `eth_getLogs` and `eth_newFilter`.
 * @throws RpcError INVALID_PARAMS for a malformed one.
 */
export const decodeLogFilter = (value: unknown): LogFilter => {
  const filter = decodeFilter(value);
  const blockHash = decodeHash(filter);
  const { blockHash: _hash, fromBlock, toBlock, ...matched } = filter;
  return {
    matched,
    blockHash,
    from: isHead(fromBlock) ? undefined : decodeBlockParam(fromBlock, 'fromBlock'),
    to: isHead(toBlock) ? undefined : decodeBlockParam(toBlock, 'toBlock'),
  };
};

/** Logs of consecutive blocks. */
interface LogRuns {
  /** JSON of a list. */
  readonly text: string;
  /** The first block that wasn't read. */
  readonly next: number;
  /** Whether the logs are more than LOG_BYTES_MAX. */
  readonly isFull: boolean;
}

/** Reads the logs of the blocks `from` to `to` that match, and stops after those with which they are too many. */
export const readLogRuns = async (
  { matched, from, to }: { readonly matched: Filter; readonly from: number; readonly to: number },
  read: ReadLogs,
): Promise<LogRuns> => {
  const texts: string[] = [];
  let next = from;
  let bytes = 0;
  while (next <= to && bytes <= LOG_BYTES_MAX) {
    const last = Math.min(next + BLOCKS_PER_READ - 1, to);
    const text = (await read({ ...matched, fromBlock: toQuantity(next), toBlock: toQuantity(last) })).slice(1, -1);
    if (text !== '') texts.push(text);
    bytes += text.length;
    next = last + 1;
  }
  return { text: `[${texts.join(',')}]`, next, isFull: bytes > LOG_BYTES_MAX };
};

const boundRange = (filter: LogFilter, head: number): { from: number; to: number } => {
  const { from = head } = filter;
  const to = Math.min(filter.to ?? head, head);
  if (from > to && from <= head) throw refuseParams('fromBlock is after toBlock');
  if (to - from >= LOG_BLOCKS_MAX) {
    throw new RpcError(RPC_CODE.LIMIT_EXCEEDED, `the block range is over ${LOG_BLOCKS_MAX} blocks; split the request`);
  }
  return { from, to };
};

/**
 * The logs among the final blocks that a filter matches, as JSON text.
 * @throws RpcError for a range that ends before it begins, one over LOG_BLOCKS_MAX, or an answer over LOG_BYTES_MAX.
 */
export const fetchFilterLogs = async (filter: LogFilter, head: number, read: ReadLogs): Promise<string> => {
  const { matched, blockHash } = filter;
  if (blockHash !== undefined) return read({ ...matched, blockHash });
  const { text, isFull } = await readLogRuns({ matched, ...boundRange(filter, head) }, read);
  if (isFull)
    throw new RpcError(RPC_CODE.LIMIT_EXCEEDED, `the answer is over ${LOG_BYTES_MAX} bytes; split the request`);
  return text;
};

/** The same for a filter as a client sends it. @throws RpcError INVALID_PARAMS for a malformed one. */
export const fetchPublicLogs = async (value: unknown, head: number, read: ReadLogs): Promise<string> =>
  fetchFilterLogs(decodeLogFilter(value), head, read);
