// The rare transactions: deployment of the contract, admission of tenants, registration of their writers. Each queries
// the chain first, so that repeating it after a crash changes nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { getCreateAddress, id } from 'ethers';
import { fromHex, type Hex, toHex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { toKey } from '../ledger/identity.ts';
import { callView } from './callView.ts';
import { LOG_BLOCKS_MAX } from './embedded/rpc/fetchPublicLogs.ts';
import { isStateTooOld } from './embedded/rpc/stateBounds.ts';
import { isWriter } from './isWriter.ts';
import { ANY_NODE, refuseAnswer } from './jsonRpc/decodeAnswer.ts';
import { RpcError } from './jsonRpc/rpcError.ts';
import { toQuantity } from './jsonRpc/toQuantity.ts';
import { ledgerInterface } from './ledgerAbi.ts';
import type { ChainPort, UnsignedCall } from './port.ts';
import type { RpcLog } from './recordLog.ts';
import type { Wallet } from './wallet.ts';
import { createTransactionSender, type TransactionSender } from './writing/transactionSender.ts';

const GAS_DEPLOYMENT = 6_000_000;
const GAS_ADMINISTRATION = 300_000;
const GAS_TRANSFER = 21_000;
/** Gas prices may double between the transfer and the transaction that it pays for. */
const FUNDING_MARGIN = 2n;
/** ERC-173: the constructor emits it. */
const OWNERSHIP_TOPIC = id('OwnershipTransferred(address,address)');
const EMPTY = new Uint8Array(0);

/** Address and deployment block of the ledger contract. */
export interface Deployment {
  readonly address: Hex;
  readonly deploymentBlock: number;
}

type AdministrationCall = Omit<UnsignedCall, 'from'>;

/** Sends a transaction, waits until it is final, and resolves with the number of its block. */
const sendTransaction = async (
  chain: ChainPort,
  wallet: Wallet,
  call: AdministrationCall,
  signal?: AbortSignal,
): Promise<number> => {
  const sender = createTransactionSender(chain, wallet);
  const mined = await sender.awaitFinal(await sender.send(call, signal), signal);
  const receipt = (await chain.request('eth_getTransactionReceipt', [mined.hash])) as {
    status: Hex;
    blockNumber: Hex;
  } | null;
  if (receipt?.status === '0x1') return Number(receipt.blockNumber);
  throw new LedgerError('TRANSACTION_REFUSED', {
    message: `the transaction ${mined.hash} of ${wallet.address} reverted`,
  });
};

/** Transfers the cost of the call from `payer` to `wallet`, if gas costs anything and the wallet cannot pay. */
const fund = async (
  chain: ChainPort,
  payer: TransactionSender | undefined,
  wallet: Wallet,
  call: AdministrationCall,
  signal?: AbortSignal,
): Promise<void> => {
  try {
    await chain.fetchBid({ ...call, from: wallet.address });
  } catch (error) {
    if (payer === undefined || !(error instanceof LedgerError) || error.code !== 'RELAYER_UNFUNDED') throw error;
    const fees = await chain.fetchFees();
    const price = 'gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas;
    const value = price * BigInt(call.gasLimit) * FUNDING_MARGIN;
    const transfer = { to: wallet.address, data: EMPTY, value, gasLimit: GAS_TRANSFER };
    await payer.awaitFinal(await payer.send(transfer, signal), signal);
  }
};

const fetchCode = (chain: ChainPort, address: Hex, block: Hex | 'latest'): Promise<unknown> =>
  chain.request('eth_getCode', [address, block]);

interface LogFilter {
  readonly address: Hex;
  readonly topics: readonly unknown[];
}

/** The first log from block `first` to the final head, in pages that a node accepts; undefined if there is none. */
const findFirstLog = async (chain: ChainPort, filter: LogFilter, first: number): Promise<RpcLog | undefined> => {
  const { number: head } = await chain.fetchFinalHead();
  for (let from = first; from <= head; from += LOG_BLOCKS_MAX) {
    const to = Math.min(from + LOG_BLOCKS_MAX - 1, head);
    const query = { ...filter, fromBlock: toQuantity(from), toBlock: toQuantity(to) };
    const logs = await chain.request('eth_getLogs', [query]);
    if (!Array.isArray(logs)) throw refuseAnswer(ANY_NODE, 'no list of logs');
    const [log] = logs as RpcLog[];
    if (log !== undefined) return log;
  }
  return undefined;
};

/** The block with the log that the constructor emits; 0 when no block has it. */
const findConstruction = async (chain: ChainPort, address: Hex): Promise<number> =>
  Number((await findFirstLog(chain, { address, topics: [OWNERSHIP_TOPIC] }, 0))?.blockNumber ?? 0);

const hasCodeAt = async (chain: ChainPort, address: Hex, block: number): Promise<boolean> =>
  (await fetchCode(chain, address, toQuantity(block))) !== '0x';

/** The first block in which the address has code, by a binary search: code is never removed. */
const searchCode = async (chain: ChainPort, address: Hex, head: number): Promise<number> => {
  let low = 0;
  let high = head;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await hasCodeAt(chain, address, middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/**
 * The first block in which the address has code. The embedded chain refuses the state of old blocks, and has all logs.
 * 0 where another node has pruned the state of old blocks.
 */
const findDeploymentBlock = async (chain: ChainPort, address: Hex): Promise<number> => {
  const { number: head } = await chain.fetchFinalHead();
  try {
    return await searchCode(chain, address, head);
  } catch (error) {
    if (isStateTooOld(error)) return findConstruction(chain, address);
    if (!(error instanceof RpcError)) throw error;
    return 0;
  }
};

/** Address of the contract that `administrator` deploys, or has deployed, with its first transaction. */
export const toLedgerAddress = (administrator: Pick<Wallet, 'address'>): Hex =>
  getCreateAddress({ from: administrator.address, nonce: 0 }).toLowerCase() as Hex;

const FINALITY_POLL_MS = 500;

const isFinal = async (chain: ChainPort, address: Hex): Promise<boolean> => {
  const { number } = await chain.fetchFinalHead();
  return (await fetchCode(chain, address, toQuantity(number))) !== '0x';
};

/**
 * The ledger contract at an address, once its deployment is final; undefined when there is no code. `signal` ends the
 * wait: rejects with an AbortError.
 */
export const findLedger = async (
  chain: ChainPort,
  address: Hex,
  signal?: AbortSignal,
): Promise<Deployment | undefined> => {
  if ((await fetchCode(chain, address, 'latest')) === '0x') return undefined;
  while (!(await isFinal(chain, address))) await sleep(FINALITY_POLL_MS, undefined, { signal });
  return { address, deploymentBlock: await findDeploymentBlock(chain, address) };
};

/**
 * The contract at an address, which has any code, in a final block.
 * @throws LedgerError CONTRACT_NOT_FOUND when there is no code, CONTRACT_PENDING while its deployment isn't final.
 */
export const findFinalContract = async (chain: ChainPort, address: Hex): Promise<Deployment> => {
  if (await isFinal(chain, address)) return { address, deploymentBlock: await findDeploymentBlock(chain, address) };
  const isDeployed = (await fetchCode(chain, address, 'latest')) !== '0x';
  throw new LedgerError(isDeployed ? 'CONTRACT_PENDING' : 'CONTRACT_NOT_FOUND');
};

/**
 * The ledger contract that `administrator` deployed with its first transaction. If it doesn't exist, deploys it, with
 * `administrator` as its only constructor argument. `payer` pays if gas costs something and `administrator` has no
 * balance. `signal` ends the wait: the ledger may be deployed all the same.
 * @throws LedgerError TRANSACTION_REFUSED when the chain refuses the deployment, or `administrator` used its first
 * transaction for something else.
 */
export const findOrDeployLedger = async (
  chain: ChainPort,
  administrator: Wallet,
  bytecode: Hex,
  { payer, signal }: { payer?: TransactionSender; signal?: AbortSignal | undefined } = {},
): Promise<Deployment> => {
  const address = toLedgerAddress(administrator);
  const found = await findLedger(chain, address, signal);
  if (found !== undefined) return found;
  if ((await chain.fetchNonce(administrator.address)) !== 0) {
    const message = `${administrator.address} has sent other transactions, so its ledger is not at ${address} and cannot be`;
    throw new LedgerError('TRANSACTION_REFUSED', { message });
  }
  const data = Buffer.concat([fromHex(bytecode), new Uint8Array(12), administrator.addressBytes]);
  const call = { to: undefined, data, gasLimit: GAS_DEPLOYMENT };
  await fund(chain, payer, administrator, call, signal);
  const deploymentBlock = await sendTransaction(chain, administrator, call, signal);
  return { address, deploymentBlock };
};

/** A call of the ledger contract that gives or takes a role. */
export interface RoleCall {
  readonly name:
    | 'admitTenant'
    | 'addWriter'
    | 'removeWriter'
    | 'transferTenantAdministration'
    | 'acceptTenantAdministration';
  readonly tenantIdentity: string;
  /** Who gets or loses the role. */
  readonly account: Hex;
}

/** The data of the transaction that makes a call. */
export const encodeRoleCall = ({ name, tenantIdentity, account }: RoleCall): Hex =>
  ledgerInterface.encodeFunctionData(name, [
    toHex(toKey(tenantIdentity)),
    ...(name === 'acceptTenantAdministration' ? [] : [account]),
  ]) as Hex;

/** What a call for a role is made with. */
export interface RoleSender {
  readonly chain: ChainPort;
  readonly contract: Hex;
  /** Has the right to the call. */
  readonly wallet: Wallet;
  /** Pays for a wallet that can't. */
  readonly payer?: TransactionSender | undefined;
  /** Called before the first transaction is sent: from then on the call waits for blocks. */
  readonly onWaiting?: (() => void) | undefined;
  /** Ends the wait; the call may be made all the same. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the call; resolves when it is final.
 * @throws LedgerError TRANSACTION_REFUSED when the wallet lacks the right to it.
 */
export const sendRoleCall = async (sender: RoleSender, given: RoleCall): Promise<void> => {
  const { chain, contract, wallet, payer, onWaiting, signal } = sender;
  const call = { to: contract, data: fromHex(encodeRoleCall(given)), gasLimit: GAS_ADMINISTRATION };
  onWaiting?.();
  await fund(chain, payer, wallet, call, signal);
  await sendTransaction(chain, wallet, call, signal);
};

/**
 * Admits a tenant with its administrator and makes `writer` one of its writers, unless that is already so. `payer` pays
 * for wallets that can't.
 * @throws LedgerError TRANSACTION_REFUSED when one of the wallets lacks the right to its transaction.
 */
export const admitTenant = async (
  chain: ChainPort,
  contract: Hex,
  tenantIdentity: string,
  wallets: { ledgerAdministrator: Wallet; tenantAdministrator: Wallet; writer: Pick<Wallet, 'address'> },
  payer?: TransactionSender,
): Promise<void> => {
  const key = toHex(toKey(tenantIdentity));
  const { ledgerAdministrator, tenantAdministrator, writer } = wallets;
  const transact = (wallet: Wallet, name: RoleCall['name'], account: Hex): Promise<void> =>
    sendRoleCall({ chain, contract, wallet, payer }, { name, tenantIdentity, account });
  const [current] = await callView(chain.request, contract, { name: 'administratorOf', args: [key] });
  if (current === '0x0000000000000000000000000000000000000000') {
    await transact(ledgerAdministrator, 'admitTenant', tenantAdministrator.address);
  }
  if (!(await isWriter(chain, contract, tenantIdentity, writer.address))) {
    await transact(tenantAdministrator, 'addWriter', writer.address);
  }
};

/**
 * Whether an account is or was one of a tenant's writers: a tenant's administrator may remove it. On a network, a node
 * that does not search all blocks answers with an error.
 */
export const wasEverWriter = async (
  chain: ChainPort,
  { address, deploymentBlock }: Deployment,
  tenantIdentity: string,
  account: Hex,
): Promise<boolean> => {
  const key = toHex(toKey(tenantIdentity));
  if (await isWriter(chain, address, tenantIdentity, account)) return true;
  const topics = ledgerInterface.encodeFilterTopics('WriterAdded', [key, account]);
  return (await findFirstLog(chain, { address, topics }, deploymentBlock)) !== undefined;
};
