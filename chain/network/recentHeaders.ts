// The newest headers of a chain: how fast it makes blocks, whether it makes empty ones, and who seals them. They are
// not final, so a later block may replace them.
import { fetchAll } from '../jsonRpc/fetchAll.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import { decodeHashedHeader, type HashedHeader } from './decodeHeader.ts';

/** The newest headers. */
export interface RecentHeaders {
  /** Consecutive, the oldest first, at most 100. */
  read(): readonly HashedHeader[];
  /**
   * Reads the headers up to the block `headNumber` that are missing. They stay as they are when the node lacks one of
   * them, or is behind.
   * @throws FalseAnswer when a header has another hash than the node claims.
   */
  follow(client: JsonRpcClient, headNumber: number): Promise<void>;
}

/** Headers that are kept. */
export const RECENT_HEADERS = 100;

const fetchHeaders = async (
  client: JsonRpcClient,
  fromBlock: number,
  toBlock: number,
): Promise<HashedHeader[] | undefined> => {
  const numbers = Array.from({ length: toBlock - fromBlock + 1 }, (_, at) => fromBlock + at);
  const calls = numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [toQuantity(number), false] }));
  const answers = await fetchAll(client, calls);
  if (answers.includes(null)) return undefined;
  return numbers.map((number, at) => decodeHashedHeader(client, answers[at], number, undefined));
};

/** The header of a block; undefined when the node lacks it. */
export const fetchHeader = async (client: JsonRpcClient, number: number): Promise<HashedHeader | undefined> =>
  (await fetchHeaders(client, number, number))?.[0];

const isLinked = (headers: readonly HashedHeader[]): boolean =>
  headers.every(({ parentHash }, at) => at === 0 || parentHash === headers[at - 1]!.hash);

/** No headers at first. */
export const createRecentHeaders = (): RecentHeaders => {
  let kept: readonly HashedHeader[] = [];

  const fetchNext = async (client: JsonRpcClient, headNumber: number): Promise<readonly HashedHeader[] | undefined> => {
    const next = (kept.at(-1)?.number ?? Number.NEGATIVE_INFINITY) + 1;
    const oldest = Math.max(0, headNumber - RECENT_HEADERS + 1);
    if (next > oldest) {
      const found = await fetchHeaders(client, next, headNumber);
      const all = found && [...kept, ...found];
      if (all === undefined || isLinked(all)) return all;
    }
    // At the start, or after a reorg.
    return fetchHeaders(client, oldest, headNumber);
  };

  return {
    read: () => kept,
    follow: async (client, headNumber) => {
      if (headNumber <= (kept.at(-1)?.number ?? -1)) return;
      const found = await fetchNext(client, headNumber);
      if (found !== undefined && isLinked(found)) kept = found.slice(-RECENT_HEADERS);
    },
  };
};
