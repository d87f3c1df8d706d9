// The most that a transaction pays for a unit of gas.
import type { Fees } from './port.ts';

/** Wei for a unit of gas, at most. */
export const toPrice = (fees: Fees): bigint => ('gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas);
