// Whose a block of the journal is, as far as the gas of strangers goes: derived at each replay, so that it survives restarts and no
// journal has to say it.
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { Edr } from './edr.ts';
import type { JournalBlock } from './journal/journalBlock.ts';
import { readRecipient } from './readRecipient.ts';

/** Whose transactions are the ledger's own; addresses are lower-case. */
export interface LedgerAccounts {
  readonly contract: Hex;
  /** Accounts of this server that send to it. */
  readonly senders: readonly Hex[];
}

/** A block as EDR gives it. */
export interface ReplayedBlock {
  readonly hash: Hex;
  readonly gasUsed: Hex;
  readonly logsBloom: Hex;
  readonly transactions: readonly Hex[];
}

const NO_LOGS = /^0x0*$/;

const isDeployment = async (edr: Edr, transaction: Hex, { contract }: LedgerAccounts): Promise<boolean> => {
  const receipt = (await edr.request('eth_getTransactionReceipt', [transaction])) as { contractAddress: Hex | null };
  return receipt.contractAddress?.toLowerCase() === contract;
};

const isOwn = async (edr: Edr, transaction: Hex, { senders }: LedgerAccounts): Promise<boolean> => {
  const { from } = (await edr.request('eth_getTransactionByHash', [transaction])) as { from: Hex };
  return senders.includes(from.toLowerCase() as Hex);
};

/**
 * Whether a stranger's transaction made the block: one that is not to the ledger contract, or to it and without effect. Only then is
 * anything asked of `edr`.
 */
export const isThirdPartyBlock = async (
  edr: Edr,
  { transaction }: JournalBlock,
  mined: ReplayedBlock,
  accounts: LedgerAccounts,
): Promise<boolean> => {
  const to = readRecipient(transaction);
  const [hash] = mined.transactions;
  if (to === undefined) return !(await isDeployment(edr, hash!, accounts));
  if (to !== accounts.contract) return true;
  return NO_LOGS.test(mined.logsBloom) && !(await isOwn(edr, hash!, accounts));
};
