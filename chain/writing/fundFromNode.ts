// Transfers funds from an account of the node itself, which development nodes have: no key of it is needed here.
import { setTimeout as sleep } from 'node:timers/promises';
import { formatEther } from 'ethers';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { ANY_NODE, decodeBigInt, refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import { RpcError } from '../jsonRpc/rpcError.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { ChainPort } from '../port.ts';

/** Enough for thousands of transactions on a development node, in wei; such a node gives its accounts 10,000 ether. */
const FUNDS = 10n ** 19n;
const POLL_MS = 200;

type Requester = Pick<ChainPort, 'request'>;

const fetchAccounts = async ({ request }: Requester): Promise<string[]> => {
  try {
    const accounts = await request('eth_accounts', []);
    if (Array.isArray(accounts)) return accounts.map((account) => String(account).toLowerCase());
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return [];
  }
  throw refuseAnswer(ANY_NODE, 'no list of accounts');
};

const assertAccount = async (chain: Requester, account: Hex): Promise<void> => {
  const accounts = await fetchAccounts(chain);
  if (accounts.includes(account.toLowerCase())) return;
  const has = accounts.length === 0 ? 'has no accounts of its own' : `has these: ${accounts.join(', ')}`;
  throw new Error(`the node can't pay from ${account}: it ${has}. Only development nodes sign for accounts themselves`);
};

const sendFunds = async (chain: Requester, from: Hex, to: Hex, value: bigint): Promise<unknown> => {
  try {
    return await chain.request('eth_sendTransaction', [{ from, to, value: toQuantity(value) }]);
  } catch (cause) {
    if (!(cause instanceof RpcError)) throw cause;
    throw new Error(`the node did not transfer ${formatEther(value)} ether from ${from}: ${cause.message}`, { cause });
  }
};

/**
 * Lets the node bring the balance of `to` to 10 ether from its own account `from`, and waits for the block. Resolves
 * with the transferred wei, 0 when the balance was as high before.
 * @throws Error when the node has no such account, or does not sign for it.
 */
export const fundFromNode = async (chain: Requester, from: Hex, to: Hex, signal?: AbortSignal): Promise<bigint> => {
  await assertAccount(chain, from);
  const balance = decodeBigInt(ANY_NODE, await chain.request('eth_getBalance', [to, 'latest']), 'a balance');
  if (balance >= FUNDS) return 0n;
  const hash = await sendFunds(chain, from, to, FUNDS - balance);
  while ((await chain.request('eth_getTransactionReceipt', [hash])) === null)
    await sleep(POLL_MS, undefined, signal && { signal });
  return FUNDS - balance;
};
