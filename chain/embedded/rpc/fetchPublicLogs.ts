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
type ReadLogs = (filter: Filter) => Promise<string>;

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

const decodeBlockParam = (value: unknown, name: string, head: number): number => {
  if (HEAD_TAGS.has(value)) return head;
  return value === 'earliest' ? 0 : decodeQuantityParam(value, name);
};

const decodeRange = (filter: Filter, head: number): { from: number; to: number } => {
  const from = decodeBlockParam(filter.fromBlock, 'fromBlock', head);
  const to = Math.min(decodeBlockParam(filter.toBlock, 'toBlock', head), head);
  if (from > to && from <= head) throw refuseParams('fromBlock is after toBlock');
  if (to - from >= LOG_BLOCKS_MAX) {
    throw new RpcError(RPC_CODE.LIMIT_EXCEEDED, `the block range is over ${LOG_BLOCKS_MAX} blocks; split the request`);
  }
  return { from, to };
};

// The node takes null for a field that is left out: a filter with such a hash would have a range of any length.
const decodeHash = ({ blockHash, fromBlock, toBlock }: Filter): string | undefined => {
  if (blockHash === undefined || blockHash === null) return undefined;
  if (typeof blockHash !== 'string' || !HASH.test(blockHash)) throw refuseParams('blockHash is not a hash');
  if ((fromBlock ?? toBlock ?? undefined) !== undefined) throw refuseParams('the filter has a blockHash and a range');
  return blockHash;
};

/**
 * The logs among the final blocks that match a filter, as JSON text. `read` answers a filter whose blocks are numbers.
 * @throws RpcError for a malformed filter, a range over LOG_BLOCKS_MAX or an answer over LOG_BYTES_MAX.
 */
export const fetchPublicLogs = async (value: unknown, head: number, read: ReadLogs): Promise<string> => {
  const filter = decodeFilter(value);
  const { blockHash, ...others } = filter;
  if (decodeHash(filter) !== undefined) return read(filter);
  const { from, to } = decodeRange(filter, head);
  const parts: string[] = [];
  let bytes = 0;
  for (let first = from; first <= to; first += BLOCKS_PER_READ) {
    const last = Math.min(first + BLOCKS_PER_READ - 1, to);
    const run = { fromBlock: toQuantity(first), toBlock: toQuantity(last) };
    const part = (await read({ ...others, ...run })).slice(1, -1);
    if (part !== '') parts.push(part);
    bytes += part.length;
    if (bytes > LOG_BYTES_MAX) {
      throw new RpcError(RPC_CODE.LIMIT_EXCEEDED, `the answer is over ${LOG_BYTES_MAX} bytes; split the request`);
    }
  }
  return `[${parts.join(',')}]`;
};
