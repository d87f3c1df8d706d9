// Answers the reads with which a fork gets the state of its block.
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import { toQuantity } from '../../jsonRpc/toQuantity.ts';
import type { Edr } from '../engine/toEdr.ts';

interface Read {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const METHODS: ReadonlySet<string> = new Set([
  'eth_chainId',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getTransactionCount',
  'net_version',
]);

/**
 * The newest block for forks of `forkedNumber()`: that one, so that none takes its state for old and writes it to disk.
 */
const NEWEST = 'eth_blockNumber';

/**
 * Answers the text of a JSON-RPC request, or of a list of them. `onFailure` is called when a read fails: what a fork
 * executes then is not what the chain would.
 */
export const createChainReads = (edr: Edr, forkedNumber: () => number, onFailure: (cause: Error) => void) => {
  const read = async ({ method, params }: Read): Promise<string> => {
    if (method === NEWEST) return JSON.stringify(toQuantity(forkedNumber()));
    if (METHODS.has(method)) return edr.requestText(method, params);
    throw new RpcError(RPC_CODE.METHOD_NOT_FOUND, `the chain has no ${method} for its sandbox`);
  };
  const refuse = (id: number | null, code: number, cause: Error): string => {
    onFailure(cause);
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: cause.message } });
  };
  const answer = async (request: Read): Promise<string> => {
    const { id } = request;
    try {
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${await read(request)}}`;
    } catch (cause) {
      return refuse(id, RPC_CODE.INTERNAL, cause as Error);
    }
  };
  return async (body: string): Promise<string> => {
    let requests: Read | Read[];
    try {
      requests = JSON.parse(body) as Read | Read[];
    } catch (cause) {
      return refuse(null, RPC_CODE.PARSE, cause as Error);
    }
    return Array.isArray(requests) ? `[${(await Promise.all(requests.map(answer))).join(',')}]` : answer(requests);
  };
};
