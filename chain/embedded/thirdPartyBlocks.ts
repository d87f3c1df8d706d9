// Decides whether a block of the journal counts towards the gas budget of third parties: derived at each replay, so
// that it survives restarts without being stored.
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { ledgerInterface } from '../ledgerAbi.ts';
import type { Edr } from './edr.ts';
import type { JournalBlock } from './journal/journalBlock.ts';
import { readCall, readRecipient } from './readRecipient.ts';

/** The ledger's own accounts; addresses are lower-case. */
export interface LedgerAccounts {
  readonly contract: Hex;
  /** Whether the account is one with which this server appends records. */
  isSender(address: Hex): Promise<boolean>;
}

/** A block as EDR returns it. */
export interface ReplayedBlock {
  readonly hash: Hex;
  readonly gasUsed: Hex;
  readonly logsBloom: Hex;
  readonly transactions: readonly Hex[];
}

const SELECTOR_BYTES = 4;
const NO_LOGS = /^0x0*$/;

const ATTEST = ledgerInterface.getFunction('attest')!.selector;

// It logs what the contract holds for anybody, and changes nothing.
const isAttestation = (transaction: Uint8Array): boolean =>
  toHex(readCall(transaction)!.data.subarray(0, SELECTOR_BYTES)) === ATTEST;

const isDeployment = async (edr: Edr, transaction: Hex, { contract }: LedgerAccounts): Promise<boolean> => {
  const receipt = (await edr.request('eth_getTransactionReceipt', [transaction])) as { contractAddress: Hex | null };
  return receipt.contractAddress?.toLowerCase() === contract;
};

const isOwn = async (edr: Edr, transaction: Hex, accounts: LedgerAccounts): Promise<boolean> => {
  const { from } = (await edr.request('eth_getTransactionByHash', [transaction])) as { from: Hex };
  return accounts.isSender(from.toLowerCase() as Hex);
};

/**
 * Whether a third-party transaction made the block: one to another address than the ledger contract, or one to it that
 * had no effect except logs of an attestation, and isn't from the ledger's senders. Queries `edr` only if the recipient
 * doesn't decide it.
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
  const isWithoutEffect = NO_LOGS.test(mined.logsBloom) || isAttestation(transaction);
  return isWithoutEffect && !(await isOwn(edr, hash!, accounts));
};
