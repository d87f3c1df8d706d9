// JSON-RPC 2.0 over HTTP to somebody's node: one request, one answer, bounded in time and in bytes.
import { isJsonObject } from '../ledger/attributes.ts';
import { LedgerError } from '../ledger/errors.ts';

/** Sends one JSON-RPC request and gives its result. */
export type RpcRequest = (method: string, params: readonly unknown[]) => Promise<unknown>;

const unavailable = (url: string, message: string, cause?: unknown): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', { message: `${url}: ${message}`, cause });

/** Far above what any node answers to one request of ours. */
const ANSWER_BYTES_MAX = 64 * 2 ** 20;

// Bytes are counted as they come, after decompression. To leave the loop early ends the connection.
const readText = async (response: Response, bytesMax: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`the answer is over ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

interface Limits {
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

const post = async (url: string, body: string, { timeoutMs, bytesMax }: Limits): Promise<unknown> => {
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    return JSON.parse(await readText(response, bytesMax)) as unknown;
  } catch (cause) {
    throw unavailable(url, 'the node does not answer as JSON-RPC', cause);
  }
};

/**
 * A client of the node at `url`. Requests reject with CHAIN_UNAVAILABLE when the node doesn't answer in `timeoutMs`
 * milliseconds, answers with an error, or with more than `bytesMax` bytes.
 */
export const createRpcClient =
  (url: string, timeoutMs: number, bytesMax: number = ANSWER_BYTES_MAX): RpcRequest =>
  async (method, params) => {
    const answer = await post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), {
      timeoutMs,
      bytesMax,
    });
    const { result, error } = isJsonObject(answer) ? answer : {};
    if (isJsonObject(error)) throw unavailable(url, `${method}: ${String(error.message)}`);
    if (result === undefined) throw unavailable(url, `${method}: neither a result nor an error`);
    return result;
  };
