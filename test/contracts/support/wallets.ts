// The wallets of contracts/test, deployed and registered as writers.
import type { BaseContract, BaseContractMethod, Signer } from 'ethers';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { connection, type loadLedger } from './ledgerFixture.ts';

type LoadedLedger = Pick<Awaited<ReturnType<typeof loadLedger>>, 'ledger' | 'tenant' | 'administrator'>;
type WalletContract<Function extends string> = BaseContract & { readonly [name in Function]: BaseContractMethod };

const deployWriter = async ({ ledger, tenant, administrator }: LoadedLedger, name: string, ...args: unknown[]) => {
  const wallet: unknown = await connection.ethers.deployContract(name, args);
  await ledger.connect(administrator).addWriter(tenant, wallet);
  return wallet;
};

/** An ERC-1271 wallet of the owner, who is also the runner of `execute`. */
export const deployOwnedWallet = async (fixture: LoadedLedger, owner: Signer) => {
  const wallet = (await deployWriter(fixture, 'OwnedWallet', owner)) as WalletContract<'execute'>;
  return wallet.connect(owner) as WalletContract<'execute'>;
};

/** A wallet that calls the ledger back with prepared call data while its signature is checked. */
export const deployReentrantWallet = async (fixture: LoadedLedger) =>
  (await deployWriter(fixture, 'ReentrantWallet')) as WalletContract<'prepare'>;

/** A wallet that answers every call with these bytes. */
export const deployStubWallet = async (fixture: LoadedLedger, answer: Hex) =>
  (await deployWriter(fixture, 'StubWallet', answer)) as WalletContract<never>;
