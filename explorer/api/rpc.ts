// JSON-RPC of the ledger's chain, as the server passes it on for pages.
import { type JsonRpcAnswer, toRpcRequest } from '../check/jsonRpc.ts';
import { ApiError, UNREACHABLE } from './client.ts';

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
  const answer = await fetch('/rpc', { ...toRpcRequest(method, params), signal }).catch((cause: Error) => {
    throw cause.name === 'AbortError' ? cause : UNREACHABLE;
  });
  if (!answer.ok) throw toRpcError(answer.status);
  const { result, error } = (await answer.json()) as JsonRpcAnswer;
  if (error !== undefined) throw new ApiError(answer.status, `RPC_${error.code}`, `The chain: ${error.message}`);
  return result;
};
