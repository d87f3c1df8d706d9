// Finds another server that has this one's relayer key. The outbox notes each nonce before it is used, so an account
// with more transactions than that has another user. Both servers lose time over each other's nonces, and no record.
import { raiseIfMistake } from '../../chain/defects.ts';
import { ANY_NODE, decodeNumber } from '../../chain/jsonRpc/decodeAnswer.ts';
import type { ChainPort } from '../../chain/port.ts';
import type { Outbox } from '../../chain/writing/outbox.ts';
import type { TransactionSender } from '../../chain/writing/transactionSender.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';

/** Transactions of the relayer that a deployment sends before there is an outbox. */
const SENT_BY_DEPLOYMENT = 1;

/** The sender of an account, with every nonce noted in the outbox; records note theirs themselves. */
export const withNotedNonces = (
  sender: TransactionSender,
  { noteNonce }: Pick<Outbox, 'noteNonce'>,
): TransactionSender => ({
  ...sender,
  send: (call, signal) => sender.send({ ...call, onNonce: call.onNonce ?? noteNonce }, signal),
});

const fetchCount = async ({ request }: Pick<ChainPort, 'request'>, address: Hex, tag: string): Promise<number> =>
  decodeNumber(ANY_NODE, await request('eth_getTransactionCount', [address, tag]), 'a transaction count');

/**
 * Reports when the account has transactions, in blocks or in the pool of a node, that this outbox doesn't know. Never
 * rejects: without an answer of a node nothing is known.
 */
export const reportSharedRelayer = async (
  { chain, isJoined }: { readonly chain: Pick<ChainPort, 'request'>; readonly isJoined: boolean },
  address: Hex,
  { highestNonce }: Pick<Outbox, 'highestNonce'>,
  onProblem: (message: string) => void,
): Promise<void> => {
  const noted = highestNonce();
  const known = noted?.address === address ? noted.nonce + 1 : isJoined ? 0 : SENT_BY_DEPLOYMENT;
  const counts = await Promise.all(['latest', 'pending'].map((tag) => fetchCount(chain, address, tag))).catch(
    (cause) => {
      raiseIfMistake(cause);
      return [];
    },
  );
  const sent = Math.max(0, ...counts);
  if (sent <= known) return;
  onProblem(
    `the relayer ${address} has sent ${sent} transactions, and this data directory knows of ${known}: if another server ` +
      'uses the same relayer.key, stop it and give it its own; after a restore from a backup that is expected',
  );
};
