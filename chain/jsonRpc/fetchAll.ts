// Many calls to one node in few batches. Each node limits batches and answers in its own way, and some refuse batches.
import { LedgerError } from '../../ledger/errors.ts';
import { isTimeout, type JsonRpcClient, type NodeCall } from './jsonRpcClient.ts';
import { RpcError } from './rpcError.ts';

/** Calls of the largest batch; geth and Besu allow 1,000. */
const CALLS_MAX = 64;

const toMark = (method: string): string => `batch ${method}`;

/** Stands for each answer of a batch that failed as a whole. */
const FAILED = Symbol('failed');
const hasFailed = (answer: unknown): boolean => answer === FAILED || answer instanceof RpcError;

// Nodes and proxies refuse a batch with one error, an error in a list, HTTP 413, or by ending the connection.
const requestBatch = async (client: JsonRpcClient, calls: readonly NodeCall[]): Promise<readonly unknown[]> => {
  try {
    return await client.requestBatch(calls);
  } catch (error) {
    if (error instanceof RpcError || (error instanceof LedgerError && !isTimeout(error)))
      return calls.map(() => FAILED);
    throw error;
  }
};

// Results of the calls, in batches of at most `size`, and the size that the node answered.
const fetchBatches = async (
  client: JsonRpcClient,
  calls: readonly NodeCall[],
  size: number,
): Promise<{ readonly results: unknown[]; readonly size: number }> => {
  const results: unknown[] = [];
  let answered = size;
  while (results.length < calls.length) {
    const batch = calls.slice(results.length, results.length + answered);
    const found = await fetchBatch(client, batch);
    for (const result of found.results) results.push(result);
    answered = Math.min(answered, found.size);
  }
  return { results, size: answered };
};

// A call that fails in a batch is sent alone: if it fails there too, the size of the batch is not the reason.
const fetchFailed = async (
  client: JsonRpcClient,
  calls: readonly NodeCall[],
  answers: readonly unknown[],
): ReturnType<typeof fetchBatches> => {
  const [first, ...others] = calls.filter((_, at) => hasFailed(answers[at]));
  if (first === undefined) return { results: [...answers], size: CALLS_MAX };
  const alone = await client.request(first.method, first.params);
  const { results, size } = await fetchBatches(client, others, Math.ceil(calls.length / 2));
  const repeated = [alone, ...results].values();
  return { results: answers.map((answer) => (hasFailed(answer) ? repeated.next().value : answer)), size };
};

const fetchBatch = async (client: JsonRpcClient, calls: readonly NodeCall[]): ReturnType<typeof fetchBatches> => {
  const [first, second] = calls;
  if (second === undefined) return { results: [await client.request(first!.method, first!.params)], size: CALLS_MAX };
  return fetchFailed(client, calls, await requestBatch(client, calls));
};

/**
 * Results of the calls of one method, in their order. A batch that the node refuses is repeated in halves, and later
 * batches of the method are as small for a minute, if the node answers the calls then.
 * @throws as `request` does when a call fails alone.
 */
export const fetchAll = async (client: JsonRpcClient, calls: readonly NodeCall[]): Promise<unknown[]> => {
  const [first] = calls;
  if (first === undefined) return [];
  const mark = toMark(first.method);
  const known = client.marks.read(mark) ?? CALLS_MAX;
  const { results, size } = await fetchBatches(client, calls, known);
  if (size < known) client.marks.set(mark, size);
  return results;
};
