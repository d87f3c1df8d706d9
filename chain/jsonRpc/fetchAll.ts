// Many calls to one node in few batches. Each node limits batches and answers in its own way, and some refuse batches.
import type { JsonRpcClient, NodeCall } from './jsonRpcClient.ts';
import { RpcError } from './rpcError.ts';

/** Calls of the largest batch; geth and Besu allow 1,000. */
const CALLS_MAX = 64;

const callsMax = new WeakMap<JsonRpcClient, number>();

const fetchBatch = async (client: JsonRpcClient, calls: readonly NodeCall[]): Promise<unknown[]> => {
  const [first] = calls;
  if (first === undefined) return [];
  if (calls.length === 1) return [await client.request(first.method, first.params)];
  try {
    return await client.requestBatch(calls);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const half = Math.ceil(calls.length / 2);
    callsMax.set(client, half);
    return [...(await fetchBatch(client, calls.slice(0, half))), ...(await fetchBatch(client, calls.slice(half)))];
  }
};

/**
 * Results of the calls, in their order. A batch that the node refuses is repeated in halves, and later batches are as
 * small.
 * @throws as `request` does when a call fails alone.
 */
export const fetchAll = async (client: JsonRpcClient, calls: readonly NodeCall[]): Promise<unknown[]> => {
  const results: unknown[] = [];
  while (results.length < calls.length) {
    const size = callsMax.get(client) ?? CALLS_MAX;
    for (const result of await fetchBatch(client, calls.slice(results.length, results.length + size)))
      results.push(result);
  }
  return results;
};
