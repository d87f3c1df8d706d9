// JSON-RPC of the ledger's chain, as the server passes it on for pages.
import { ApiError, UNREACHABLE } from './client.ts';

/** JSON-RPC 2.0, section 5. */
interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const SWITCHED_OFF = 404;

const toRpcError = (status: number): ApiError =>
  status === SWITCHED_OFF
    ? new ApiError(status, 'RPC_OFF', 'The operator has switched off the reads of the chain.')
    : new ApiError(status, 'RPC_FAILED', `The chain can’t be read: the server answered ${status}.`);

/** The result of a request. Rejects with ApiError; its status is 404 where the operator has switched off `/rpc`. */
export const requestRpc = async (
  method: string,
  params: readonly unknown[],
  signal: AbortSignal | null,
): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch('/rpc', { method: 'POST', headers, body, signal }).catch((cause: Error) => {
    throw cause.name === 'AbortError' ? cause : UNREACHABLE;
  });
  if (!answer.ok) throw toRpcError(answer.status);
  const { result, error } = (await answer.json()) as RpcAnswer;
  if (error !== undefined) throw new ApiError(answer.status, `RPC_${error.code}`, `The chain: ${error.message}`);
  return result;
};
