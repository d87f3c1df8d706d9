// The JSON-RPC reads with which anybody may check records of the ledger: headers of blocks, and the contract's view
// functions. They show hashes and counts. Logs, receipts and transactions contain the payloads of every tenant, so none
// of them is here. The list names what is allowed, never what is forbidden.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { fromHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import type { EmbeddedChain } from '../embedded/embeddedChain.ts';
import { LEDGER_GAS_MAX } from '../embedded/rpc/executionGas.ts';
import { toIntrinsicGas } from '../embedded/rpc/intrinsicGas.ts';
import { isAboutRequest, RPC_CODE, RpcError, refuseParams } from '../jsonRpc/rpcError.ts';
import type { RpcRequest } from '../jsonRpc/rpcRequest.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import { ledgerInterface } from '../ledgerAbi.ts';
import type { ChainPort } from '../port.ts';

/** The chain and the contract whose reads are answered. */
export interface ReadLedger {
  readonly chain: Pick<ChainPort, 'chainId' | 'request'> & Partial<Pick<EmbeddedChain, 'answer'>>;
  /** Lower-case. */
  readonly contract: Hex;
}

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,12})$/i;
const HASH = /^0x[0-9a-f]{64}$/i;
/** `pending` would show what isn't in a block. */
const TAGS: readonly unknown[] = ['latest', 'safe', 'finalized', 'earliest'];
/** That of ERC-5267, which the contract inherits. */
const EIP712_DOMAIN = '0x84b0196e';

const listViews = (): string[] => {
  const selectors: string[] = [];
  ledgerInterface.forEachFunction(({ constant, selector }) => {
    if (constant) selectors.push(selector);
  });
  return selectors;
};

/** Lower-case. None of these functions returns a payload. */
const SELECTORS: ReadonlySet<string> = new Set([EIP712_DOMAIN, ...listViews()]);
const SELECTOR_CHARACTERS = 10;

/** The fields from which a block's hash is computed, of all hard forks up to Prague, and the hash. */
const HEADER_FIELDS = [
  'hash',
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
];

const assertCount = (params: readonly unknown[], min: number, max: number): void => {
  if (params.length < min || params.length > max) throw refuseParams(`want ${min} to ${max} parameters`);
};

const decodeBlock = (value: unknown): unknown => {
  if (TAGS.includes(value) || (typeof value === 'string' && QUANTITY.test(value))) return value;
  throw refuseParams('the block is neither a number nor latest, safe, finalized or earliest');
};

const decodeHash = (value: unknown): string => {
  if (typeof value === 'string' && HASH.test(value)) return value;
  throw refuseParams('the block is not a hash');
};

// A block's number or tag, or its hash in an object (EIP-1898).
const decodeStateBlock = (value: unknown): unknown => {
  if (value === undefined) return 'latest';
  if (!isJsonObject(value)) return decodeBlock(value);
  const { blockHash, ...others } = value;
  if (Object.keys(others).length > 0) throw refuseParams('the block has another field than blockHash');
  return { blockHash: decodeHash(blockHash) };
};

const decodeData = (value: unknown): Hex => {
  if (typeof value !== 'string' || !SELECTORS.has(value.slice(0, SELECTOR_CHARACTERS).toLowerCase()))
    throw refuseParams('data calls no view function of the ledger');
  return value as Hex;
};

const toBytes = (data: Hex): Uint8Array => {
  try {
    return fromHex(data);
  } catch {
    throw refuseParams('data is not hexadecimal');
  }
};

const decodeCall = (value: unknown, contract: Hex): object => {
  if (!isJsonObject(value)) throw refuseParams('the call is not an object');
  const { to, data: given, input, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refuseParams('the call has another field than to and data');
  if (typeof to !== 'string' || to.toLowerCase() !== contract) throw refuseParams('to is not the ledger contract');
  if (given !== undefined && input !== undefined) throw refuseParams('the call has data and input');
  const data = decodeData(given ?? input);
  const gas = LEDGER_GAS_MAX + toIntrinsicGas({ to: contract, data: toBytes(data), accessList: [] });
  return { to: contract, data, gas: toQuantity(gas) };
};

const pickHeader = (block: unknown): unknown => {
  if (!isJsonObject(block)) return null;
  return Object.fromEntries(HEADER_FIELDS.flatMap((name) => (name in block ? [[name, block[name]]] : [])));
};

// What a node says beside the refusal of a request, and its name, are for the operator alone.
const toShown = (error: unknown): unknown => {
  if (error instanceof LedgerError) return new RpcError(RPC_CODE.UNAVAILABLE, 'the chain does not answer now');
  if (!(error instanceof RpcError) || isAboutRequest(error) || error.code === RPC_CODE.UNAVAILABLE) return error;
  return error.code === RPC_CODE.LIMIT_EXCEEDED
    ? error
    : new RpcError(RPC_CODE.REFUSED, 'the node refused the request');
};

type RpcHandler = (params: readonly unknown[]) => Promise<unknown>;

const createHandlers = ({ chain, contract }: ReadLedger, request: RpcRequest): Record<string, RpcHandler> => {
  const createFetchHeader =
    (method: string, decode: (value: unknown) => unknown): RpcHandler =>
    async (params) => {
      assertCount(params, 2, 2);
      if (params[1] !== false) throw refuseParams('blocks are answered without transactions: want false');
      return pickHeader(await request(method, [decode(params[0]), false]));
    };
  return {
    eth_chainId: async (params) => {
      assertCount(params, 0, 0);
      return toQuantity(chain.chainId);
    },
    eth_blockNumber: async (params) => {
      assertCount(params, 0, 0);
      return request('eth_blockNumber', []);
    },
    eth_getBlockByNumber: createFetchHeader('eth_getBlockByNumber', decodeBlock),
    eth_getBlockByHash: createFetchHeader('eth_getBlockByHash', decodeHash),
    eth_call: async (params) => {
      assertCount(params, 1, 2);
      return request('eth_call', [decodeCall(params[0], contract), decodeStateBlock(params[1])]);
    },
  };
};

/**
 * Answers the reads. Rejects with `RpcError`: METHOD_NOT_FOUND for any other method, INVALID_PARAMS for any other
 * contract, function or option.
 */
export const createLedgerReads = (ledger: ReadLedger): RpcRequest => {
  const { chain } = ledger;
  // The embedded chain refuses third parties while it is replayed; its own requests would wait.
  const ask: RpcRequest = async (method, params) =>
    chain.answer === undefined ? chain.request(method, params) : JSON.parse(await chain.answer(method, params));
  const request: RpcRequest = async (method, params) => {
    try {
      return await ask(method, params);
    } catch (error) {
      throw toShown(error);
    }
  };
  const handlers = new Map(Object.entries(createHandlers(ledger, request)));
  return async (method, params) => {
    const handler = handlers.get(method);
    if (handler === undefined) throw new RpcError(RPC_CODE.METHOD_NOT_FOUND, 'the method is not available here');
    return handler(params);
  };
};
