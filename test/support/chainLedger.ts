// A new embedded chain with the compiled ledger contract on it, and wallets.
import { createHash } from 'node:crypto';
import { admitTenant, type Deployment, findOrDeployLedger, toLedgerAddress } from '../../chain/administration.ts';
import { createEmbeddedChain, type EmbeddedChain } from '../../chain/embedded/embeddedChain.ts';
import type { LedgerAccounts } from '../../chain/embedded/thirdPartyBlocks.ts';
import { createWallet, type Wallet } from '../../chain/wallet.ts';
import { createSubmission, type SubmittedRecord } from '../../chain/writing/submission.ts';
import { createTransactionSender } from '../../chain/writing/transactionSender.ts';
import { readLedgerBytecode } from '../../host/files/ledgerArtifact.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import { useDirectories } from './directories.ts';
import { toCommitment } from './recordLogs.ts';

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

/**
 * Registers mocha hooks that give each test a new chain with a ledger of these tenants, whose writer is `walletOf`
 * their identity. The chain and the contract are those of the test that runs.
 */
export const useTenantsOnChain = (...tenants: readonly string[]) => {
  const makeDirectory = useDirectories();
  let chain: EmbeddedChain;
  let contract: Hex;
  beforeEach(async () => {
    chain = await openChain(await makeDirectory());
    contract = (await deployTestLedger(chain)).address;
    for (const tenant of tenants) {
      await admitTenant(chain, contract, tenant, {
        ledgerAdministrator: walletOf('ledger administrator'),
        tenantAdministrator: walletOf(`administrator of ${tenant}`),
        writer: walletOf(tenant),
      });
    }
  });
  afterEach(() => chain.close());
  return {
    get chain() {
      return chain;
    },
    get contract() {
      return contract;
    },
    /** Records in one transaction, in a block of its own. */
    submit: async (...records: readonly SubmittedRecord[]): Promise<void> => {
      const relayer = createTransactionSender(chain, walletOf('relayer'));
      await createSubmission({ chain, contract, relayer, authorOf: walletOf }).submit(records);
    },
    /** The commitment of a tenant's record. */
    readCommitment: async (tenantIdentity: string, recordIdentity: string): Promise<Commitment> => {
      const toBlock = (await chain.fetchFinalHead()).number;
      const logs = await chain.fetchRecordLogs({ address: contract, fromBlock: 0, toBlock });
      const [tenantKey, key] = [toHex(toKey(tenantIdentity)), toHex(toKey(recordIdentity))];
      return toCommitment(logs.find((log) => log.recordKey === key && log.tenantKey === tenantKey)!);
    },
  };
};

/** Deploys the ledger of `ledger administrator`, or finds it. */
export const deployTestLedger = async (chain: EmbeddedChain): Promise<Deployment> =>
  findOrDeployLedger(chain, walletOf('ledger administrator'), await readLedgerBytecode());
