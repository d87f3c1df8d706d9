// Transactions as nodes answer with them, encoded again as the chain has them: legacy ones, and those of the types 1 to
// 4 (EIP-2930, EIP-1559, EIP-4844, EIP-7702). So their hashes are computed, not claimed.
import { concatBytes } from '../../ledger/evidence/bytes.ts';
import { encodeRlp, type RlpItem } from '../../ledger/evidence/rlp.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { toBytes, toQuantityBytes } from '../jsonRpc/headerFields.ts';

/** A field of a transaction that is missing or has a wrong form. */
class Malformed extends Error {}

type Fields = Readonly<Record<string, unknown>>;
type Encode = (value: unknown, fields: Fields) => RlpItem;

const require = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Malformed();
  return value;
};

const quantity: Encode = (value) => require(toQuantityBytes(value));
const bytes: Encode = (value) => require(toBytes(value));
// A transaction that creates a contract has no recipient.
const recipient: Encode = (value) => (value == null ? new Uint8Array() : bytes(value, {}));
// Some nodes have only `v`, which is the same for typed transactions.
const parity: Encode = (value, { v }) => quantity(value ?? v, {});

const listOf =
  (encode: Encode): Encode =>
  (value) => {
    if (!Array.isArray(value)) throw new Malformed();
    return value.map((item: unknown) => encode(item, {}));
  };

type Shape = readonly (readonly [name: string, encode: Encode])[];

const encodeFields = (shape: Shape, value: unknown): RlpItem[] => {
  if (!isJsonObject(value)) throw new Malformed();
  return shape.map(([name, encode]) => encode(value[name], value));
};

const shaped =
  (shape: Shape): Encode =>
  (value) =>
    encodeFields(shape, value);

const ACCESS = shaped([
  ['address', bytes],
  ['storageKeys', listOf(bytes)],
]);
const AUTHORIZATION = shaped([
  ['chainId', quantity],
  ['address', bytes],
  ['nonce', quantity],
  ['yParity', parity],
  ['r', quantity],
  ['s', quantity],
]);

const CALL: Shape = [
  ['gas', quantity],
  ['to', recipient],
  ['value', quantity],
  ['input', bytes],
];
const FEES: Shape = [
  ['maxPriorityFeePerGas', quantity],
  ['maxFeePerGas', quantity],
];
const BEFORE: Shape = [
  ['chainId', quantity],
  ['nonce', quantity],
];
const ACCESS_LIST: Shape = [['accessList', listOf(ACCESS)]];
const SIGNATURE: Shape = [
  ['yParity', parity],
  ['r', quantity],
  ['s', quantity],
];

// By type.
const SHAPES: readonly Shape[] = [
  [['nonce', quantity], ['gasPrice', quantity], ...CALL, ['v', quantity], ['r', quantity], ['s', quantity]],
  [...BEFORE, ['gasPrice', quantity], ...CALL, ...ACCESS_LIST, ...SIGNATURE],
  [...BEFORE, ...FEES, ...CALL, ...ACCESS_LIST, ...SIGNATURE],
  [
    ...BEFORE,
    ...FEES,
    ...CALL,
    ...ACCESS_LIST,
    ['maxFeePerBlobGas', quantity],
    ['blobVersionedHashes', listOf(bytes)],
    ...SIGNATURE,
  ],
  [...BEFORE, ...FEES, ...CALL, ...ACCESS_LIST, ['authorizationList', listOf(AUTHORIZATION)], ...SIGNATURE],
];

/** Bytes of a transaction as its block has them. Undefined for a malformed one, or one of another type. */
export const encodeTransaction = (transaction: unknown): Uint8Array | undefined => {
  const type = isJsonObject(transaction) ? Number(transaction.type ?? 0) : Number.NaN;
  const shape = SHAPES[type];
  if (shape === undefined) return undefined;
  try {
    const body = encodeRlp(encodeFields(shape, transaction));
    return type === 0 ? body : concatBytes([Uint8Array.of(type), body]);
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
};
