// Computes the bid of a transaction on a chain where gas may cost something. Unused gas is not paid for, so limits are
// generous; but nodes refuse a transaction of an account that can't pay for its full limit.
import { toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { fetchBlock, type NodeBlock } from '../jsonRpc/chainQueries.ts';
import { decodeBigInt, decodeNumber, refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { RpcError } from '../jsonRpc/rpcError.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { Bid, Fees, UnsignedCall } from '../port.ts';
import { toPrice } from '../toPrice.ts';

const FREE: Fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
/** A chain may count gas differently from Ethereum: a quarter on top of the node's estimate. */
const ESTIMATE_PERCENT = 125;

const orElse =
  <T>(fallback: () => T | Promise<T>) =>
  (error: unknown): T | Promise<T> => {
    if (error instanceof RpcError) return fallback();
    throw error;
  };

const fetchGasPrice = async (client: JsonRpcClient): Promise<bigint> =>
  decodeBigInt(client, await client.request('eth_gasPrice', []), 'a gas price');

// Some nodes with EIP-1559 report no tip; it is the gas price minus the base fee.
const fetchTip = async (client: JsonRpcClient, baseFeePerGas: bigint): Promise<bigint> => {
  try {
    return decodeBigInt(client, await client.request('eth_maxPriorityFeePerGas', []), 'a tip');
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const tip = (await fetchGasPrice(client)) - baseFeePerGas;
    return tip > 0n ? tip : 0n;
  }
};

// Twice the base fee: it can double before the bid is too low.
const toFees = async (client: JsonRpcClient, { baseFeePerGas }: NodeBlock): Promise<Fees> => {
  if (baseFeePerGas === undefined) return { gasPrice: await fetchGasPrice(client) };
  const maxPriorityFeePerGas = await fetchTip(client, baseFeePerGas);
  return { maxFeePerGas: 2n * baseFeePerGas + maxPriorityFeePerGas, maxPriorityFeePerGas };
};

const requireHead = async (client: JsonRpcClient): Promise<NodeBlock> => {
  const head = await fetchBlock(client, 'latest');
  if (head === undefined) throw refuseAnswer(client, 'no newest block');
  return head;
};

/** The current price of a unit of gas, as the node sees the chain. */
export const fetchFees = async (client: JsonRpcClient): Promise<Fees> => toFees(client, await requireHead(client));

// A call that reverts can't be estimated. It is sent all the same, so that the chain records the revert.
const fetchEstimate = async (client: JsonRpcClient, { from, to, data, value }: UnsignedCall): Promise<number> => {
  const call = { from, ...(to && { to }), data: toHex(data), ...(value && { value: toQuantity(value) }) };
  const estimate = await client.request('eth_estimateGas', [call]).catch(orElse(() => '0x0'));
  return decodeNumber(client, estimate, 'an estimate of gas');
};

// Where the base fee is zero, nodes still report a tip: an account without a balance bids nothing.
const toAffordable = async (client: JsonRpcClient, call: UnsignedCall, bid: Bid): Promise<Bid> => {
  const { gasLimit, fees } = bid;
  const gas = BigInt(gasLimit + (call.gasInFlight ?? 0));
  const cost = gas * toPrice(fees) + (call.value ?? 0n);
  if (cost === 0n) return bid;
  const balance = decodeBigInt(client, await client.request('eth_getBalance', [call.from, 'latest']), 'a balance');
  if (balance >= cost) return bid;
  const isFree = 'maxFeePerGas' in fees && fees.maxFeePerGas === fees.maxPriorityFeePerGas;
  if (isFree && balance >= (call.value ?? 0n)) return { gasLimit, fees: FREE };
  const message = `the account ${call.from} has ${balance} wei and needs ${cost} wei for its next transaction; transfer some to it`;
  throw new LedgerError('RELAYER_UNFUNDED', { message });
};

/**
 * A bid for the call on the chain as the node sees it, with a gas limit of at most `gasMax`.
 * @throws LedgerError RELAYER_UNFUNDED when the account can't pay it.
 */
export const fetchBid = async (client: JsonRpcClient, call: UnsignedCall, gasMax: number): Promise<Bid> => {
  const [fees, estimate] = await Promise.all([
    fetchFees(client),
    call.isMeasured === true ? 0 : fetchEstimate(client, call),
  ]);
  const needed = Math.max(call.gasLimit, Math.ceil((estimate * ESTIMATE_PERCENT) / 100));
  return toAffordable(client, call, { gasLimit: Math.min(needed, gasMax), fees });
};
