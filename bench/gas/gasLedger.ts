// The ledger that bench:gas measures: the contract on a fresh in-process chain, with one tenant and one writer.
import {
  type BaseContract,
  type BaseContractMethod,
  type ContractRunner,
  hexlify,
  type Signer,
  toUtf8Bytes,
} from 'ethers';
import type { network } from 'hardhat';
import { toDomainSeparator, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { APPEND } from './typedDataTypes.ts';

export type HardhatConnection = Awaited<ReturnType<typeof network.create>>;

type LedgerFunction =
  | 'acceptTenantAdministration'
  | 'addWriter'
  | 'admitTenant'
  | 'append'
  | 'appendSigned'
  | 'attest'
  | 'removeWriter'
  | 'transferTenantAdministration'
  | 'verifyHistory'
  | 'verifyRecord';

/** The functions of the contract that are measured, by name. */
export interface BenchContract extends BaseContract, Readonly<Record<LedgerFunction, BaseContractMethod>> {
  connect(runner: ContractRunner): BenchContract;
}

/** A record as the contract's `append` accepts it. */
export interface BenchRecord {
  readonly stream: Hex;
  readonly id: Hex;
  readonly payload: Hex;
}

/** Key of an identity, as 0x-prefixed hexadecimal. */
export const keyOf = (identity: string): Hex => toHex(toKey(identity));

/** Payload of this many bytes: format version 1, then JSON. */
export const payloadOfBytes = (length: number): Hex =>
  hexlify(toUtf8Bytes(`\x01${'{"attributes":"'.padEnd(length - 3, 'x').concat('"}')}`)) as Hex;

/** Deploys the contract and admits one tenant with one writer. `relayer` and `outsider` have no role. */
export const setUpLedger = async (connection: HardhatConnection) => {
  const [owner, administrator, writer, , , relayer, outsider] = await connection.ethers.getSigners();
  const deployed = await connection.ethers.deployContract('ProvenanceLedger', [owner!.address]);
  const ledger = deployed as unknown as BenchContract;
  const tenant = keyOf('tenant/one');
  await ledger.admitTenant(tenant, administrator!);
  await ledger.connect(administrator!).addWriter(tenant, writer!);
  const { chainId } = await connection.ethers.provider.getNetwork();
  return {
    connection,
    ledger,
    chainId,
    contract: (await ledger.getAddress()) as Hex,
    tenant,
    administrator: administrator!,
    writer: writer!,
    relayer: relayer!,
    outsider: outsider!,
  };
};

export type GasLedger = Awaited<ReturnType<typeof setUpLedger>>;

/** The records as one batch that the tenant's writer has signed (EIP-712). */
export const signBatch = async ({ chainId, contract, tenant, writer }: GasLedger, records: BenchRecord[]) => {
  const author = writer.address;
  const domain = { name: 'ProvenanceLedger', version: '1', chainId, verifyingContract: contract };
  const message = { records: records.map((record) => ({ tenant, author, ...record })) };
  const signature = await (writer as Signer).signTypedData(domain, APPEND, message);
  return { tenant, author, records, signature };
};

/** Digest of a record of the tenant's writer, as the contract keeps it. */
export const digestOf = ({ chainId, contract, tenant, writer }: GasLedger, record: BenchRecord): Hex => {
  const separator = toDomainSeparator({ chainId: Number(chainId), contract: fromHex(contract) });
  const digest = toRecordDigest(separator, {
    tenantKey: fromHex(tenant),
    streamKey: fromHex(record.stream),
    recordKey: fromHex(record.id),
    author: fromHex(writer.address as Hex),
    payload: fromHex(record.payload),
  });
  return toHex(digest);
};
