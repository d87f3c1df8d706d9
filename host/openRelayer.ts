// The account that pays for all transactions of a server.
import { GAS_OF_LARGEST_RECORD } from '../chain/writing/appendGas.ts';
import type { Outbox } from '../chain/writing/outbox.ts';
import { createTransactionSender, type TransactionSender } from '../chain/writing/transactionSender.ts';
import { LedgerError } from '../ledger/errors.ts';
import { reportSharedRelayer, withNotedNonces } from './checks/relayerCheck.ts';
import type { IndexedChain } from './indexedChain.ts';
import type { LedgerOptions } from './ledgerOptions.ts';

const assertPayer = async ({ chain, contract }: IndexedChain, relayer: TransactionSender): Promise<void> => {
  const largest = { from: relayer.address, to: contract, data: new Uint8Array(0), gasLimit: GAS_OF_LARGEST_RECORD };
  const { gasLimit } = await chain.fetchBid(largest);
  if (gasLimit >= GAS_OF_LARGEST_RECORD) return;
  const message = `a transaction may use ${gasLimit} gas on this chain, and the largest record needs ${GAS_OF_LARGEST_RECORD}`;
  throw new LedgerError('TRANSACTION_REFUSED', { message });
};

/**
 * The account that sends all transactions. On a network another server may have the same key, which is reported.
 * @throws LedgerError RELAYER_UNFUNDED when it can't pay for the largest record, unless it `mayLackFunds`.
 */
export const openRelayer = async (
  indexed: IndexedChain,
  { network, onProblem, mayLackFunds = false }: LedgerOptions,
  outbox: Outbox,
): Promise<TransactionSender> => {
  const { chain, keyring } = indexed;
  const relayer = createTransactionSender(chain, await keyring.openWallet('relayer'));
  if (!mayLackFunds) await assertPayer(indexed, relayer);
  if (network === undefined) return relayer;
  await reportSharedRelayer(indexed, relayer.address, outbox, onProblem);
  return withNotedNonces(relayer, outbox);
};
