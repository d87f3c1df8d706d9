// The gas that is paid before the first step of an execution: appendix G of the yellow paper, with EIP-2028 (calldata),
// EIP-2930 (access lists) and EIP-3860 (creation code), as in the embedded chain's hardfork, cancun.
import type { Hex } from '../../../ledger/encoding/hex.ts';

/** The part of a call or a transaction that is executed. */
export interface Execution {
  /** Lower-case; undefined to create a contract. */
  readonly to: Hex | undefined;
  readonly data: Uint8Array;
  readonly accessList: readonly { readonly storageKeys: readonly unknown[] }[];
}

const GAS_TRANSACTION = 21_000;
const GAS_CREATION = 32_000;
const GAS_INITCODE_WORD = 2;
const GAS_ZERO_BYTE = 4;
const GAS_OTHER_BYTE = 16;
const GAS_ACCESS_ADDRESS = 2_400;
const GAS_ACCESS_KEY = 1_900;
const WORD_BYTES = 32;

const toDataGas = (data: Uint8Array): number => {
  let zeros = 0;
  for (const byte of data) if (byte === 0) zeros += 1;
  return zeros * GAS_ZERO_BYTE + (data.length - zeros) * GAS_OTHER_BYTE;
};

const toCreationGas = (data: Uint8Array): number =>
  GAS_CREATION + Math.ceil(data.length / WORD_BYTES) * GAS_INITCODE_WORD;

/** The exact intrinsic gas of an execution, which leaves nothing for its steps. */
export const toIntrinsicGas = ({ to, data, accessList }: Execution): number => {
  const creation = to === undefined ? toCreationGas(data) : 0;
  const keys = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  const access = accessList.length * GAS_ACCESS_ADDRESS + keys * GAS_ACCESS_KEY;
  return GAS_TRANSACTION + creation + toDataGas(data) + access;
};
