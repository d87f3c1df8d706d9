// Decodes the parameters of JSON-RPC read methods.
import { toIntrinsicGas } from '../../../chain/embedded/rpc/intrinsicGas.ts';
import { RPC_CODE, RpcError, refuseParams } from '../../../chain/jsonRpc/rpcError.ts';
import { fromHex, type Hex } from '../../../ledger/encoding/hex.ts';
import type { SimulatedBlock } from './blocks.ts';
import type { ChainView } from './chainView.ts';
import type { Message } from './evm.ts';
import { ZERO_ADDRESS } from './ledgerCall.ts';

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]*)$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;

type Fields = Readonly<Record<string, unknown>>;

/** An object, or INVALID_PARAMS. */
export const decodeFields = (value: unknown): Fields => {
  if (typeof value !== 'object' || value === null) throw refuseParams('the parameter is not an object');
  return value as Fields;
};

const decodeQuantity = (value: unknown): bigint => {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw refuseParams(`${value} is not a quantity`);
  return BigInt(value);
};

/** A lower-case address. */
export const decodeAddress = (value: unknown): Hex => {
  if (typeof value !== 'string' || !ADDRESS.test(value)) throw refuseParams(`${value} is not an address`);
  return value.toLowerCase() as Hex;
};

/** A lower-case hash. */
export const decodeHash = (value: unknown): Hex => {
  if (typeof value !== 'string' || !HASH.test(value)) throw refuseParams(`${value} is not a hash`);
  return value.toLowerCase() as Hex;
};

/** The number of a block that a number or a tag names; the newest block where it is left out. */
export const decodeBlockNumber = (view: ChainView, value: unknown): number => {
  switch (value) {
    case undefined:
    case null:
    case 'latest':
    case 'pending':
      return view.head.number;
    case 'finalized':
    case 'safe':
      return view.finalNumber;
    case 'earliest':
      return 0;
    default:
      return Number(decodeQuantity(value));
  }
};

/** The block whose state a request reads. Rejects with the error of nodes when this chain doesn't have it. */
export const requireBlock = (view: ChainView, value: unknown): SimulatedBlock => {
  const number = decodeBlockNumber(view, value);
  const block = view.blockByNumber(number);
  if (block === undefined) throw new RpcError(RPC_CODE.REFUSED, `header not found: ${number}`);
  return block;
};

const decodeData = (value: unknown): Uint8Array => {
  if (value === undefined || value === null) return new Uint8Array(0);
  if (typeof value !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(value)) throw refuseParams('data is not hexadecimal');
  return fromHex(value);
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The call of `eth_call` and `eth_estimateGas`, with at most `gasMax` gas. */
export const decodeCall = (value: unknown, gasMax: number): Message => {
  const { from, to, data, input, value: wei, gas } = decodeFields(value);
  const execution = { to: isGiven(to) ? decodeAddress(to) : undefined, data: decodeData(data ?? input) };
  return {
    ...execution,
    from: isGiven(from) ? decodeAddress(from) : ZERO_ADDRESS,
    value: isGiven(wei) ? decodeQuantity(wei) : 0n,
    gasLimit: isGiven(gas) ? Math.min(gasMax, Number(decodeQuantity(gas))) : gasMax,
    intrinsicGas: toIntrinsicGas({ ...execution, accessList: [] }),
  };
};
