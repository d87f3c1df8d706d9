// EIP-712 as implemented by ethers: a reference for the contract's digests and signatures that shares no code with
// ledger/.
import { type Signer, TypedDataEncoder } from 'ethers';
import { APPEND, RECORD } from '../../../bench/gas/typedDataTypes.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';

export interface TypedRecord {
  readonly stream: Hex;
  readonly id: Hex;
  readonly payload: Hex;
}

export interface TypedBatch {
  readonly tenant: Hex;
  readonly author: string;
  readonly records: TypedRecord[];
  readonly signature: string;
}

export interface LedgerDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: bigint;
  readonly verifyingContract: string;
}

export const toDomain = (chainId: bigint, verifyingContract: string): LedgerDomain => ({
  name: 'ProvenanceLedger',
  version: '1',
  chainId,
  verifyingContract,
});

/** EIP-712 digest of one record. */
export const toRecordDigest = (domain: LedgerDomain, tenant: Hex, author: string, record: TypedRecord): Hex =>
  TypedDataEncoder.hash(domain, { Record: RECORD }, { tenant, author, ...record }) as Hex;

const toAppendMessage = (tenant: Hex, author: string, records: readonly TypedRecord[]) => ({
  records: records.map((record) => ({ tenant, author, ...record })),
});

/**
 * A batch of `author` with the signature of `signer`, who is the author unless the test is about forgery or a wallet.
 */
export const signBatch = async (
  domain: LedgerDomain,
  signer: Signer,
  tenant: Hex,
  records: TypedRecord[],
  author?: string,
): Promise<TypedBatch> => {
  const named = author ?? (await signer.getAddress());
  const signature = await signer.signTypedData(domain, APPEND, toAppendMessage(tenant, named, records));
  return { tenant, author: named, records, signature };
};

/** Not a valid batch: the author signed the record by itself, as `Record`. */
export const signRecord = async (
  domain: LedgerDomain,
  signer: Signer,
  tenant: Hex,
  record: TypedRecord,
): Promise<TypedBatch> => {
  const author = await signer.getAddress();
  const signature = await signer.signTypedData(domain, { Record: RECORD }, { tenant, author, ...record });
  return { tenant, author, records: [record], signature };
};
