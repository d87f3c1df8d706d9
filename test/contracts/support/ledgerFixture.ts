// A deployed ledger with two tenants, on the Hardhat network that all contract tests share.
import { network } from 'hardhat';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { keyOf } from './aRecord.ts';
import type { LedgerContract } from './ledgerContract.ts';
import { type LedgerDomain, toDomain } from './typedData.ts';

export type HardhatConnection = Awaited<ReturnType<typeof network.create>>;
export type Account = Awaited<ReturnType<HardhatConnection['ethers']['getSigners']>>[number];

export const connection = await network.getOrCreate();

/** Deploys a ledger with this administrator on the connection's chain. */
export const deployContract = async ({ ethers }: HardhatConnection, administrator: string): Promise<LedgerContract> =>
  (await ethers.deployContract('ProvenanceLedger', [administrator])) as unknown as LedgerContract;

/** The EIP-712 domain that a ledger at this address must have, independent of its own `eip712Domain()`. */
const fetchDomain = async ({ ethers }: HardhatConnection, ledger: LedgerContract): Promise<LedgerDomain> => {
  const { chainId } = await ethers.provider.getNetwork();
  return toDomain(chainId, await ledger.getAddress());
};

/** Admits a tenant with one writer; the ledger must be connected to its administrator. */
export const admitTenant = async (
  ledger: LedgerContract,
  identity: string,
  administrator: Account,
  writer: Account,
): Promise<Hex> => {
  const tenant = keyOf(identity);
  await ledger.admitTenant(tenant, administrator);
  await ledger.connect(administrator).addWriter(tenant, writer);
  return tenant;
};

/** A ledger with two tenants, each with its own administrator and writer, and two accounts without a role. */
export const setUpLedger = async (on: HardhatConnection) => {
  const signers = await on.ethers.getSigners();
  const [owner, administrator, writer, otherAdministrator, otherWriter, relayer, thirdParty] = signers;
  const ledger = await deployContract(on, owner!.address);
  return {
    ledger,
    domain: await fetchDomain(on, ledger),
    tenant: await admitTenant(ledger, 'tenant/one', administrator!, writer!),
    otherTenant: await admitTenant(ledger, 'tenant/two', otherAdministrator!, otherWriter!),
    owner: owner!,
    administrator: administrator!,
    writer: writer!,
    otherAdministrator: otherAdministrator!,
    otherWriter: otherWriter!,
    relayer: relayer!,
    thirdParty: thirdParty!,
  };
};

async function ledgerFixture() {
  return setUpLedger(connection);
}

/** The set-up above, fresh for the test that calls it. */
export const loadLedger = () => connection.networkHelpers.loadFixture(ledgerFixture);
