// The methods of filters. What a filter answers with is read from the chain: the final blocks since its last answer.
import type { Hex } from '../../../../ledger/encoding/hex.ts';
import { RPC_CODE, RpcError, refuseParams } from '../../../jsonRpc/rpcError.ts';
import { toQuantity } from '../../../jsonRpc/toQuantity.ts';
import {
  decodeLogFilter,
  fetchFilterLogs,
  LOG_BLOCKS_MAX,
  type LogFilter,
  type ReadLogs,
  readLogRuns,
} from '../fetchPublicLogs.ts';
import type { AnswerClient, PublicChain } from '../publicChain.ts';
import { assertParamCount } from '../publicParams.ts';
import type { RunWork } from '../rpcWork.ts';
import type { PublicFilter } from './publicFilters.ts';

/** Answers a method with JSON text. */
type FilterHandler = (params: readonly unknown[], run: RunWork, client: AnswerClient) => Promise<string>;

/** What a filter has that is new, and the first block after that. */
interface News {
  readonly text: string;
  readonly next: number;
}

/** Blocks whose hashes are read in one turn. */
const HASHES_PER_TURN = 64;

const createReads = (chain: PublicChain) => {
  const readLogs: ReadLogs = (filter) => chain.readFinal('eth_getLogs', [filter]);
  const readHash = async (number: number): Promise<Hex> => {
    const text = await chain.readFinal('eth_getBlockByNumber', [toQuantity(number), false]);
    return (JSON.parse(text) as { hash: Hex }).hash;
  };
  const readHashes = async (from: number, to: number): Promise<Hex[]> => {
    const hashes: Hex[] = [];
    for (let number = from; number <= to; number += 1) hashes.push(await readHash(number));
    return hashes;
  };
  return { readLogs, readHashes };
};

const createReadNews = (chain: PublicChain) => {
  const { readLogs, readHashes } = createReads(chain);
  const readBlocks = async (from: number, to: number, run: RunWork): Promise<News> => {
    const hashes: Hex[] = [];
    for (let first = from; first <= to; first += HASHES_PER_TURN) {
      const last = Math.min(first + HASHES_PER_TURN - 1, to);
      hashes.push(...(await run('reads', () => readHashes(first, last))));
    }
    return { text: JSON.stringify(hashes), next: Math.max(from, to + 1) };
  };
  const readMatching = ({ matched, to: end = Number.POSITIVE_INFINITY }: LogFilter, from: number, to: number) =>
    readLogRuns({ matched, from, to: Math.min(to, end) }, readLogs);

  return async ({ logs, next: from }: PublicFilter, run: RunWork): Promise<News> => {
    const { number: head } = await chain.fetchFinalHead();
    const to = Math.min(head, from + LOG_BLOCKS_MAX - 1);
    return logs === undefined ? readBlocks(from, to, run) : run('logs', () => readMatching(logs, from, to));
  };
};

const createGetChanges = (chain: PublicChain): FilterHandler => {
  const readNews = createReadNews(chain);
  return async (params, run, client) => {
    assertParamCount(params, 1);
    const filter = chain.filters.find(params[0]);
    return filter.runSerially(async () => {
      const from = filter.next;
      const { text, next } = await readNews(filter, run);
      filter.next = next;
      client.undoIfLost(() => {
        filter.next = Math.min(filter.next, from);
      });
      return text;
    });
  };
};

const decodeNewFilter = (value: unknown): LogFilter => {
  const filter = decodeLogFilter(value);
  const { blockHash, from, to } = filter;
  if (blockHash !== undefined)
    throw refuseParams('the filter has a blockHash: read the logs of one block with eth_getLogs');
  if (from !== undefined && to !== undefined && from > to) throw refuseParams('fromBlock is after toBlock');
  return filter;
};

// Nobody else knows the id of a filter whose answer is lost.
const addFilter = (
  { filters }: PublicChain,
  { party, undoIfLost }: AnswerClient,
  logs: LogFilter | undefined,
  next: number,
): string => {
  const id = filters.add(party, logs, next);
  undoIfLost(() => void filters.remove(id));
  return JSON.stringify(id);
};

const createNewFilter =
  (chain: PublicChain): FilterHandler =>
  async (params, run, client) => {
    assertParamCount(params, 1);
    const filter = decodeNewFilter(params[0]);
    const { number: head } = await chain.fetchFinalHead();
    const block = toQuantity(head);
    // The node refuses malformed addresses and topics.
    await run('logs', () => chain.readFinal('eth_getLogs', [{ ...filter.matched, fromBlock: block, toBlock: block }]));
    return addFilter(chain, client, filter, Math.max(head + 1, filter.from ?? 0));
  };

const createGetLogs = (chain: PublicChain): FilterHandler => {
  const { readLogs } = createReads(chain);
  return async (params, run) => {
    assertParamCount(params, 1);
    const { logs } = chain.filters.find(params[0]);
    if (logs === undefined)
      throw new RpcError(RPC_CODE.REFUSED, 'the filter is one of blocks, which have no logs here');
    const { number: head } = await chain.fetchFinalHead();
    return run('logs', () => fetchFilterLogs(logs, head, readLogs));
  };
};

/** The methods of filters by their names. */
export const createFilterMethods = (chain: PublicChain): [string, FilterHandler][] => [
  ['eth_newFilter', createNewFilter(chain)],
  [
    'eth_newBlockFilter',
    async (params, _run, client) => {
      assertParamCount(params, 0);
      const { number: head } = await chain.fetchFinalHead();
      return addFilter(chain, client, undefined, head + 1);
    },
  ],
  ['eth_getFilterChanges', createGetChanges(chain)],
  ['eth_getFilterLogs', createGetLogs(chain)],
  [
    'eth_uninstallFilter',
    async (params) => {
      assertParamCount(params, 1);
      return String(chain.filters.remove(params[0]));
    },
  ],
];
