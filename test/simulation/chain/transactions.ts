// Decodes signed transactions: of EIP-155, and of EIP-1559 without an access list, which the project doesn't use.
import { toIntrinsicGas } from '../../../chain/embedded/rpc/intrinsicGas.ts';
import { refuseParams } from '../../../chain/jsonRpc/rpcError.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { createBoundedCache } from './boundedCache.ts';
import { recoverSigner } from './recovery.ts';
import { decodeList, encodeList, encodeString, type RlpItem, toNumberBytes } from './rlp.ts';

/** A signed transaction. */
export interface DecodedTransaction {
  readonly raw: Uint8Array;
  readonly hash: Hex;
  /** 0 for EIP-155, 2 for EIP-1559. */
  readonly type: 0 | 2;
  readonly chainId: number;
  /** Lower-case. */
  readonly from: Hex;
  readonly nonce: number;
  /** Lower-case; undefined to create a contract. */
  readonly to: Hex | undefined;
  readonly data: Uint8Array;
  /** Wei. */
  readonly value: bigint;
  readonly gasLimit: number;
  /** Wei for a unit of gas; both are the gas price in a transaction of type 0. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Gas that is paid before the first step of the execution. */
  readonly intrinsicGas: number;
  readonly signature: { readonly v: bigint; readonly r: Hex; readonly s: Hex };
}

type Fields = Omit<DecodedTransaction, 'raw' | 'hash' | 'intrinsicGas'>;

const EIP_1559_TYPE = Uint8Array.of(2);
const LEGACY_ITEMS = 9;
const EIP_1559_ITEMS = 12;
const LEGACY_V = 35n;
const TRANSACTIONS_CACHED = 512;

const toBigInt = ({ content }: RlpItem): bigint => (content.length === 0 ? 0n : BigInt(toHex(content)));

const toNumber = (item: RlpItem): number => {
  const value = Number(toBigInt(item));
  if (!Number.isSafeInteger(value)) throw refuseParams('a number of the transaction is too large');
  return value;
};

const toAddress = ({ content }: RlpItem): Hex | undefined => {
  if (content.length === 0) return undefined;
  if (content.length !== 20) throw refuseParams('the recipient is not an address');
  return toHex(content);
};

const toSignatureBytes = (r: RlpItem, s: RlpItem): Uint8Array => {
  const bytes = new Uint8Array(64);
  if (r.content.length > 32 || s.content.length > 32) throw refuseParams('invalid signature');
  bytes.set(r.content, 32 - r.content.length);
  bytes.set(s.content, 64 - s.content.length);
  return bytes;
};

const requireSigner = (digest: Uint8Array, signature: Uint8Array, yParity: bigint): Hex => {
  if (yParity > 1n) throw refuseParams('invalid signature');
  const signer = recoverSigner({ digest, signature, yParity: yParity === 1n ? 1 : 0 });
  if (signer === undefined) throw refuseParams('invalid signature');
  return signer;
};

const toCall = ([gasLimit, to, value, data]: readonly RlpItem[]): Pick<
  Fields,
  'gasLimit' | 'to' | 'value' | 'data'
> => ({
  gasLimit: toNumber(gasLimit!),
  to: toAddress(to!),
  value: toBigInt(value!),
  data: data!.content,
});

const toSignature = (items: readonly RlpItem[]): Fields['signature'] => {
  const [v, r, s] = items.slice(-3).map(toBigInt);
  return { v: v!, r: `0x${r!.toString(16)}`, s: `0x${s!.toString(16)}` };
};

const decodeLegacy = (raw: Uint8Array): Fields => {
  const { content, items } = decodeList(raw);
  if (items.length !== LEGACY_ITEMS) throw refuseParams('the transaction has another number of fields');
  const [nonce, price, , , , , v, r, s] = items;
  const vNumber = toBigInt(v!);
  if (vNumber < LEGACY_V) throw refuseParams('only replay-protected (EIP-155) transactions allowed over RPC');
  const chainId = Number((vNumber - LEGACY_V) / 2n);
  const unsigned = encodeList(
    content.subarray(0, items[5]!.end),
    encodeString(toNumberBytes(chainId)),
    Uint8Array.of(0x80, 0x80),
  );
  const gasPrice = toBigInt(price!);
  return {
    type: 0,
    chainId,
    from: requireSigner(keccak256(unsigned), toSignatureBytes(r!, s!), (vNumber - LEGACY_V) % 2n),
    nonce: toNumber(nonce!),
    ...toCall(items.slice(2, 6)),
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    signature: toSignature(items),
  };
};

const decodeEip1559 = (raw: Uint8Array): Fields => {
  const { content, items } = decodeList(raw.subarray(1));
  if (items.length !== EIP_1559_ITEMS) throw refuseParams('the transaction has another number of fields');
  const [chainId, nonce, tip, fee, , , , , accessList, v, r, s] = items;
  if (!accessList!.isList || accessList!.content.length > 0) throw refuseParams('access lists are not simulated');
  const unsigned = encodeList(content.subarray(0, accessList!.end));
  return {
    type: 2,
    chainId: toNumber(chainId!),
    from: requireSigner(keccak256(EIP_1559_TYPE, unsigned), toSignatureBytes(r!, s!), toBigInt(v!)),
    nonce: toNumber(nonce!),
    ...toCall(items.slice(4, 8)),
    maxFeePerGas: toBigInt(fee!),
    maxPriorityFeePerGas: toBigInt(tip!),
    signature: toSignature(items),
  };
};

const decode = (raw: Uint8Array, hash: Hex): DecodedTransaction => {
  const [first] = raw;
  if (first === undefined) throw refuseParams('the transaction is empty');
  if (first < 0x80 && first !== 2) throw refuseParams(`Invalid transaction type ${first}.`);
  const fields = first === 2 ? decodeEip1559(raw) : decodeLegacy(raw);
  return { raw, hash, ...fields, intrinsicGas: toIntrinsicGas({ ...fields, accessList: [] }) };
};

const byHash = createBoundedCache<DecodedTransaction>(TRANSACTIONS_CACHED);
const byText = createBoundedCache<DecodedTransaction>(TRANSACTIONS_CACHED);

/**
 * Decodes a signed transaction and recovers its sender. The bytes must not change afterwards.
 * @throws RpcError INVALID_PARAMS when it is malformed, of another type, or has an invalid signature.
 */
export const decodeTransaction = (raw: Uint8Array): DecodedTransaction => {
  const hash = toHex(keccak256(raw));
  return byHash.get(hash, () => decode(raw, hash));
};

const toBytes = (text: string): Uint8Array => {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) throw refuseParams('the transaction is not hexadecimal');
  return fromHex(text);
};

/** The same for the `0x` text of `eth_sendRawTransaction`. */
export const decodeTransactionText = (text: unknown): DecodedTransaction => {
  if (typeof text !== 'string') throw refuseParams('the transaction is not hexadecimal');
  return byText.get(text, () => decodeTransaction(toBytes(text)));
};
