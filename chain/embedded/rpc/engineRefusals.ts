// The refusals of the engine as clients see them. Its parser names types and columns of a text that the client never
// sent, in the words of one version of its libraries; a refusal of parameters says what the method takes instead.
import { LedgerError } from '../../../ledger/errors.ts';
import { RPC_CODE, RpcError, refuseParams } from '../../jsonRpc/rpcError.ts';
import { EngineError } from '../engine/toEdr.ts';

const BLOCK = "a block's number or tag";
const HASH = "a block's hash";
const STATE_BLOCK = `${BLOCK}, or an object with blockNumber or blockHash`;
const INDEX = 'an index';
const ADDRESS = 'an address';
const CALL = `a call, and ${STATE_BLOCK}`;

/** The parameters of the methods that the engine answers, in words. Quantities and bytes are hexadecimal. */
const PARAMETERS: Readonly<Record<string, string>> = {
  eth_call: CALL,
  eth_estimateGas: CALL,
  eth_getBalance: `${ADDRESS}, and ${STATE_BLOCK}`,
  eth_getBlockByHash: `${HASH}, and whether with its transactions`,
  eth_getBlockByNumber: `${BLOCK}, and whether with its transactions`,
  eth_getBlockTransactionCountByHash: HASH,
  eth_getBlockTransactionCountByNumber: BLOCK,
  eth_getBlockReceipts: `${STATE_BLOCK}, or ${HASH}`,
  eth_getCode: `${ADDRESS}, and ${STATE_BLOCK}`,
  eth_getLogs: 'a filter of address, topics, and blockHash or fromBlock and toBlock',
  eth_getProof: `${ADDRESS}, a list of slots, and ${STATE_BLOCK}`,
  eth_getRawTransactionByHash: "a transaction's hash",
  eth_getStorageAt: `${ADDRESS}, a slot, and ${STATE_BLOCK}`,
  eth_getTransactionByBlockHashAndIndex: `${HASH}, and ${INDEX}`,
  eth_getTransactionByBlockNumberAndIndex: `${BLOCK}, and ${INDEX}`,
  eth_getTransactionByHash: "a transaction's hash",
  eth_getTransactionCount: `${ADDRESS}, and ${STATE_BLOCK}`,
  eth_getTransactionReceipt: "a transaction's hash",
  eth_newFilter: 'a filter of address, topics, fromBlock and toBlock',
  eth_sendRawTransaction: 'the bytes of a signed transaction',
  web3_sha3: 'bytes',
};

const PARSER_CODES: readonly number[] = [RPC_CODE.INVALID_PARAMS, RPC_CODE.INVALID_REQUEST, RPC_CODE.PARSE];
/** How a value of the engine's program is printed that has no words of its own. */
const DEBUG_FORM = /^\w+(?:\(|$)/;

// One that the engine has read: it says what is wrong with it.
const isRefusedTransaction = (error: unknown): boolean =>
  error instanceof LedgerError && error.code === 'TRANSACTION_REFUSED';

/**
 * The error that a client gets for one of `method`. Parameters that the engine's parser refuses are INVALID_PARAMS:
 * "the parameters are malformed; METHOD takes ...". All else is unchanged, but for failures that the engine has no
 * words for.
 */
export const toPublicError = (method: string, error: unknown): unknown => {
  const cause = error instanceof LedgerError ? error.cause : error;
  if (!(cause instanceof EngineError) || isRefusedTransaction(error)) return error;
  if (PARSER_CODES.includes(cause.code))
    return refuseParams(`the parameters are malformed; ${method} takes ${PARAMETERS[method] ?? 'no parameters'}`);
  return DEBUG_FORM.test(cause.message) ? new RpcError(cause.code, 'the execution failed', cause.data) : error;
};
