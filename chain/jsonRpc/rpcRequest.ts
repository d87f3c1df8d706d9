// JSON-RPC for tools, to a node that they are given: any error of the node is a failure.
import { LedgerError } from '../../ledger/errors.ts';
import { createJsonRpcClient } from './jsonRpcClient.ts';
import { RpcError } from './rpcError.ts';

/** Sends one JSON-RPC request and resolves with its result. */
export type RpcRequest = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Far above any node's answer to a request of this project. */
const ANSWER_BYTES_MAX = 64 * 2 ** 20;

/**
 * A client of the node at `url`. Requests reject with CHAIN_UNAVAILABLE when the node doesn't answer within `timeoutMs`
 * milliseconds, answers with an error, or with more than `answerBytesMax` bytes.
 */
export const createRpcClient = (url: string, timeoutMs: number, answerBytesMax = ANSWER_BYTES_MAX): RpcRequest => {
  const { name, request } = createJsonRpcClient({ url, timeoutMs, answerBytesMax });
  return async (method, params) => {
    try {
      return await request(method, params);
    } catch (cause) {
      if (!(cause instanceof RpcError)) throw cause;
      throw new LedgerError('CHAIN_UNAVAILABLE', { message: `${name}: ${method}: ${cause.message}`, cause });
    }
  };
};
