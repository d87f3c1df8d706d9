// Bounds on the parameters of public methods: what a stranger may ask a node to do costs the node a bounded amount of work.
import { fromHex } from '../../ledger/hex.ts';
import { refuseParams } from '../rpcError.ts';
import type { GasBudget } from './gasBudget.ts';

const PROOF_KEYS_MAX = 64;
const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]{0,12})$/i;

const toQuantity = (value: number): string => `0x${value.toString(16)}`;

/** @throws RpcError when there are more parameters than `max`. */
export const assertParamCount = (params: readonly unknown[], max: number): void => {
  if (params.length > max) throw refuseParams(`too many arguments, want at most ${max}`);
};

/** A quantity as JSON-RPC writes it, within the safe integers. */
export const decodeQuantity = (value: unknown, name: string): number => {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw refuseParams(`${name} is not a hexadecimal quantity`);
  return Number(value);
};

export const decodeObject = (value: unknown, name: string): Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuseParams(`${name} is not an object`);
  return value as Readonly<Record<string, unknown>>;
};

/** Bytes of a parameter in hexadecimal. */
export const decodeBytes = (value: unknown, name: string): Uint8Array => {
  try {
    return fromHex(value as string);
  } catch {
    throw refuseParams(`${name} is not hexadecimal`);
  }
};

/** Call parameters with the gas limit held within the budget. Overrides of state are refused. */
export const boundCall = (params: readonly unknown[], budget: GasBudget): readonly unknown[] => {
  if (params.length > 2) throw refuseParams('state overrides are not supported');
  const call = decodeObject(params[0], 'the call');
  const data = call.data ?? call.input;
  const gasMax = budget.readGasMax(typeof data === 'string' ? Math.ceil(data.length / 2) : 0);
  const asked = call.gas === undefined || call.gas === null ? gasMax : decodeQuantity(call.gas, 'gas');
  return [{ ...call, gas: toQuantity(Math.min(asked, gasMax)) }, params[1] ?? 'latest'];
};

export const boundProof = (params: readonly unknown[]): readonly unknown[] => {
  assertParamCount(params, 3);
  const [, keys] = params;
  if (Array.isArray(keys) && keys.length > PROOF_KEYS_MAX)
    throw refuseParams(`more than ${PROOF_KEYS_MAX} storage keys`);
  return params;
};
