// Limits the parameters of public methods, so that each request causes a limited amount of work.
import { fromHex, type Hex } from '../../../ledger/encoding/hex.ts';
import { refuseParams } from '../../jsonRpc/rpcError.ts';
import { toQuantity } from '../../jsonRpc/toQuantity.ts';
import { boundPayment, type CallParam } from './boundPayment.ts';
import type { Execution } from './intrinsicGas.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]{0,12})$/i;

/** @throws RpcError when there are more parameters than `max`. */
export const assertParamCount = (params: readonly unknown[], max: number): void => {
  if (params.length > max) throw refuseParams(`too many arguments, want at most ${max}`);
};

/** A JSON-RPC quantity that is a safe integer. `name` names the parameter in the error. */
export const decodeQuantityParam = (value: unknown, name: string): number => {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw refuseParams(`${name} is not a hexadecimal quantity`);
  return Number(value);
};

/** @throws RpcError when the parameter is not an object. */
export const decodeObjectParam = (value: unknown, name: string): Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuseParams(`${name} is not an object`);
  return value as Readonly<Record<string, unknown>>;
};

/** Decodes a hexadecimal parameter. */
export const decodeBytesParam = (value: unknown, name: string): Uint8Array => {
  try {
    return fromHex(value as string);
  } catch {
    throw refuseParams(`${name} is not hexadecimal`);
  }
};

// Fields of a call. `data` and `input` are two names of one field; only transactions have blobs and authorizations.
const CALL_FIELDS = new Set([
  'accessList',
  'chainId',
  'data',
  'from',
  'gas',
  'gasPrice',
  'input',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'nonce',
  'to',
  'type',
  'value',
]);

const decodeCall = (value: unknown): CallParam => {
  const call = decodeObjectParam(value, 'the call');
  const unknown = Object.keys(call).find((field) => !CALL_FIELDS.has(field));
  if (unknown !== undefined) throw refuseParams(`the call has an unknown field: ${unknown}`);
  const { data, input, ...others } = call;
  if (data != null && input != null && data !== input) throw refuseParams('data and input differ');
  return { ...others, data: data ?? input ?? '0x' };
};

const decodeTo = (to: unknown): Hex | undefined => {
  if (to === undefined || to === null) return undefined;
  if (typeof to !== 'string' || !ADDRESS.test(to)) throw refuseParams('to is not an address');
  return to.toLowerCase() as Hex;
};

const decodeAccess = (value: unknown): Execution['accessList'][number] => {
  const { storageKeys } = decodeObjectParam(value, 'an entry of the access list');
  if (!Array.isArray(storageKeys)) throw refuseParams('an entry of the access list has no storageKeys');
  return { storageKeys };
};

const decodeAccessList = (value: unknown): Execution['accessList'] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw refuseParams('the access list is not a list');
  return value.map(decodeAccess);
};

/** The part of a call that is executed; `call` has `data`, and no `input`. */
export const toExecution = ({ to, data, accessList }: CallParam): Execution => ({
  to: decodeTo(to),
  data: decodeBytesParam(data, 'data'),
  accessList: decodeAccessList(accessList),
});

/**
 * Call parameters with a limited gas limit, and a value and prices that the node can add up.
 * @throws RpcError INVALID_PARAMS for malformed parameters and state overrides; REFUSED as `boundPayment` does.
 */
export const boundCall = async (
  params: readonly unknown[],
  fetchGasMax: (execution: Execution) => Promise<number>,
): Promise<readonly unknown[]> => {
  if (params.length > 2) throw refuseParams('state overrides are not supported');
  const call = decodeCall(params[0]);
  const gasMax = await fetchGasMax(toExecution(call));
  const requested = call.gas === undefined || call.gas === null ? gasMax : decodeQuantityParam(call.gas, 'gas');
  const gas = Math.min(requested, gasMax);
  return [{ ...call, ...boundPayment(call, gas), gas: toQuantity(gas) }, params[1]];
};
