// A new embedded chain with the compiled ledger contract on it, and wallets.
import { createHash } from 'node:crypto';
import { type Deployment, findOrDeployLedger, toLedgerAddress } from '../../chain/administration.ts';
import { createEmbeddedChain, type EmbeddedChain } from '../../chain/embedded/embeddedChain.ts';
import type { LedgerAccounts } from '../../chain/embedded/thirdPartyBlocks.ts';
import { createWallet, type Wallet } from '../../chain/wallet.ts';
import { readLedgerBytecode } from '../../host/files/ledgerArtifact.ts';

export const CHAIN_ID = 7_331;

/** The wallet of a name, the same in every run. */
export const walletOf = (name: string): Wallet => createWallet(createHash('sha256').update(name).digest());

/** Accounts of the ledger that `deployTestLedger` deploys. */
const findLedgerAccounts = async (): Promise<LedgerAccounts> => ({
  contract: toLedgerAddress(walletOf('ledger administrator')),
  isSender: async (address) => address === walletOf('relayer').address,
});

/** A new chain in an empty directory; its time stands still. */
export const openChain = (directory: string): Promise<EmbeddedChain> =>
  createEmbeddedChain({ directory, chainId: CHAIN_ID, now: () => Date.UTC(2026, 10, 20), findLedgerAccounts });

/** Deploys the ledger of `ledger administrator`, or finds it. */
export const deployTestLedger = async (chain: EmbeddedChain): Promise<Deployment> =>
  findOrDeployLedger(chain, walletOf('ledger administrator'), await readLedgerBytecode());
