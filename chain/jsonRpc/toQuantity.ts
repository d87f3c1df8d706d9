import type { Hex } from '../../ledger/encoding/hex.ts';

/** A number as a JSON-RPC quantity: hexadecimal without leading zeros. */
export const toQuantity = (number: number | bigint): Hex => `0x${number.toString(16)}`;
