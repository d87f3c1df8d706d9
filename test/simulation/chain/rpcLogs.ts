// `eth_getLogs` over a chain.
import { refuseParams } from '../../../chain/jsonRpc/rpcError.ts';
import type { SimulatedBlock } from './blocks.ts';
import type { ChainView } from './chainView.ts';
import { type LogJson, toBlockLogs } from './rpcJson.ts';
import { decodeBlockNumber, decodeFields, decodeHash } from './rpcParams.ts';

// An address or a topic, several of which one suffices, or null for all.
type Wanted = readonly string[] | undefined;

const toWanted = (value: unknown): Wanted => {
  if (value === undefined || value === null) return undefined;
  const list = Array.isArray(value) ? value : [value];
  if (!list.every((item) => typeof item === 'string')) throw refuseParams('the filter is malformed');
  return list.map((item: string) => item.toLowerCase());
};

const toTopics = (value: unknown): Wanted[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw refuseParams('the topics are not a list');
  return value.map(toWanted);
};

const createMatch = (filter: Readonly<Record<string, unknown>>): ((log: LogJson) => boolean) => {
  const addresses = toWanted(filter.address);
  const topics = toTopics(filter.topics);
  return (log) =>
    (addresses === undefined || addresses.includes(log.address)) &&
    topics.every((wanted, at) => {
      const topic = log.topics[at];
      return topic !== undefined && (wanted === undefined || wanted.includes(topic));
    });
};

const selectBlocks = (view: ChainView, filter: Readonly<Record<string, unknown>>): SimulatedBlock[] => {
  if (filter.blockHash !== undefined && filter.blockHash !== null) {
    const block = view.blockByHash(decodeHash(filter.blockHash));
    if (block === undefined) throw refuseParams('unknown block');
    return [block];
  }
  const from = decodeBlockNumber(view, filter.fromBlock);
  const to = Math.min(decodeBlockNumber(view, filter.toBlock), view.head.number);
  const blocks: SimulatedBlock[] = [];
  for (let number = from; number <= to; number += 1) blocks.push(view.blockByNumber(number)!);
  return blocks;
};

/** The logs that match a filter, in chain order. Rejects with INVALID_PARAMS for a `blockHash` that the chain lacks. */
export const selectLogs = (view: ChainView, value: unknown): LogJson[] => {
  const filter = decodeFields(value);
  const matches = createMatch(filter);
  return selectBlocks(view, filter).flatMap((block) => toBlockLogs(block).filter(matches));
};
