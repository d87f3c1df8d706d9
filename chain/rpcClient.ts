// JSON-RPC 2.0 over HTTP to somebody's node: one request, one answer, bounded in time.
import { isJsonObject } from '../ledger/attributes.ts';
import { LedgerError } from '../ledger/errors.ts';

/** Sends one JSON-RPC request and gives its result. */
export type RpcRequest = (method: string, params: readonly unknown[]) => Promise<unknown>;

const unavailable = (url: string, message: string, cause?: unknown): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', { message: `${url}: ${message}`, cause });

const post = async (url: string, body: string, timeoutMs: number): Promise<unknown> => {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
    return (await response.json()) as unknown;
  } catch (cause) {
    throw unavailable(url, 'the node does not answer as JSON-RPC', cause);
  }
};

/**
 * A client of the node at `url`. Requests reject with CHAIN_UNAVAILABLE when the node doesn't answer in `timeoutMs`
 * milliseconds or answers with an error.
 */
export const createRpcClient =
  (url: string, timeoutMs: number): RpcRequest =>
  async (method, params) => {
    const answer = await post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), timeoutMs);
    const { result, error } = isJsonObject(answer) ? answer : {};
    if (isJsonObject(error)) throw unavailable(url, `${method}: ${String(error.message)}`);
    if (result === undefined) throw unavailable(url, `${method}: neither a result nor an error`);
    return result;
  };
