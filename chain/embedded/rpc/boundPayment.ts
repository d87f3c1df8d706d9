// Limits what a call says that its sender pays. The node adds up gas, price and value without a check, on its own
// thread, and a sum that overflows there ends the process (docs/security.md#values-and-prices).
import { RPC_CODE, RpcError, refuseParams } from '../../jsonRpc/rpcError.ts';
import { toQuantity } from '../../jsonRpc/toQuantity.ts';

/** A call as the client sent it. */
export type CallParam = Readonly<Record<string, unknown>>;

const UINT128_MAX = 2n ** 128n - 1n;
const UINT256_MAX = 2n ** 256n - 1n;
const PRICES = ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;
const AMOUNT = /^0x[0-9a-f]+$/i;

type Amounts = Partial<Record<(typeof PRICES)[number] | 'value', bigint>>;

const decodeAmount = (value: unknown, name: string, max: bigint): bigint => {
  const amount = typeof value === 'string' && AMOUNT.test(value) ? BigInt(value) : undefined;
  if (amount === undefined) throw refuseParams(`${name} is not a hexadecimal quantity`);
  if (amount > max) throw refuseParams(`${name} is over ${toQuantity(max)}`);
  return amount;
};

const decodeAmounts = (call: CallParam): Amounts => {
  const isGiven = (name: string): boolean => call[name] !== undefined && call[name] !== null;
  const prices = PRICES.filter(isGiven).map((name) => [name, decodeAmount(call[name], name, UINT128_MAX)]);
  const values = isGiven('value') ? [['value', decodeAmount(call.value, 'value', UINT256_MAX)]] : [];
  return Object.fromEntries([...prices, ...values]) as Amounts;
};

const assertPayable = ({ value = 0n, ...prices }: Amounts, gas: number): void => {
  const price = Object.values(prices).reduce((highest, other) => (other > highest ? other : highest), 0n);
  const fee = price * BigInt(gas);
  if (fee <= UINT128_MAX && fee + value <= UINT256_MAX) return;
  throw new RpcError(RPC_CODE.REFUSED, 'insufficient funds for gas * price + value: no account can hold so much');
};

/**
 * The value and the prices of a call with this gas limit, as the node decodes them. A call without a price gets the
 * price 0, which is that of the chain: for an estimate, the node would invent another one.
 * @throws RpcError INVALID_PARAMS for what is no quantity of 256 bits, or 128 for a price; REFUSED when the gas at its
 * price costs over 128 bits, or with the value over 256.
 */
export const boundPayment = (call: CallParam, gas: number): CallParam => {
  const amounts = decodeAmounts(call);
  assertPayable(amounts, gas);
  const isPriced = PRICES.some((name) => amounts[name] !== undefined);
  const quantities = Object.entries(amounts).map(([name, amount]) => [name, toQuantity(amount)]);
  return { ...Object.fromEntries(quantities), ...(!isPriced && { gasPrice: '0x0' }) };
};
