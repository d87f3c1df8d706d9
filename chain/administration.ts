// The rare transactions: deployment of the contract, admission of tenants, registration of their writers.
// Each looks at the chain first, so that doing it again after a crash changes nothing.
import { getCreateAddress } from 'ethers';
import { LedgerError } from '../ledger/errors.ts';
import { fromHex, type Hex, toHex } from '../ledger/hex.ts';
import { toKey } from '../ledger/identity.ts';
import { ledgerInterface } from './ledgerAbi.ts';
import type { ChainPort } from './port.ts';
import { signTransaction } from './transaction.ts';
import type { Wallet } from './wallet.ts';

const GAS_DEPLOYMENT = 6_000_000;
const GAS_ADMINISTRATION = 300_000;

interface Receipt {
  readonly status: Hex;
  readonly blockNumber: Hex;
}

/** Where the ledger contract is. */
export interface Deployment {
  readonly address: Hex;
  readonly deploymentBlock: number;
}

const sendTransaction = async (
  chain: ChainPort,
  wallet: Wallet,
  call: { to: Hex | undefined; data: Uint8Array; gasLimit: number },
): Promise<number> => {
  const raw = signTransaction(
    {
      chainId: chain.chainId,
      nonce: await chain.fetchNonce(wallet.address),
      gasLimit: call.gasLimit,
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
      to: call.to === undefined ? undefined : fromHex(call.to),
      data: call.data,
    },
    wallet,
  );
  const { hash } = await chain.submitTransaction(raw);
  const receipt = (await chain.request('eth_getTransactionReceipt', [hash])) as Receipt;
  if (receipt.status === '0x1') return Number(receipt.blockNumber);
  throw new LedgerError('TRANSACTION_REFUSED', { message: `the transaction ${hash} of ${wallet.address} reverted` });
};

const fetchCode = (chain: ChainPort, address: Hex, block: Hex | 'latest'): Promise<unknown> =>
  chain.request('eth_getCode', [address, block]);

/** The first block in which the address has code. Code never goes away, so it is found by halving. */
const findDeploymentBlock = async (chain: ChainPort, address: Hex): Promise<number> => {
  let low = 0;
  let high = (await chain.fetchFinalHead()).number;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const code = await fetchCode(chain, address, `0x${middle.toString(16)}`);
    if (code === '0x') low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * The ledger contract that `administrator` deployed with its first transaction; deployed now if it isn't there, with
 * `administrator` for its only constructor argument.
 * @throws LedgerError TRANSACTION_REFUSED when the chain doesn't take the deployment, or `administrator` spent its first
 * transaction on something else.
 */
export const findOrDeployLedger = async (
  chain: ChainPort,
  administrator: Wallet,
  bytecode: Hex,
): Promise<Deployment> => {
  const address = getCreateAddress({ from: administrator.address, nonce: 0 }).toLowerCase() as Hex;
  if ((await fetchCode(chain, address, 'latest')) !== '0x') {
    return { address, deploymentBlock: await findDeploymentBlock(chain, address) };
  }
  if ((await chain.fetchNonce(administrator.address)) !== 0) {
    const message = `${administrator.address} has sent other transactions, so its ledger is not at ${address} and never will be`;
    throw new LedgerError('TRANSACTION_REFUSED', { message });
  }
  const data = Buffer.concat([fromHex(bytecode), new Uint8Array(12), administrator.addressBytes]);
  const deploymentBlock = await sendTransaction(chain, administrator, {
    to: undefined,
    data,
    gasLimit: GAS_DEPLOYMENT,
  });
  return { address, deploymentBlock };
};

const callView = async (chain: ChainPort, contract: Hex, name: string, args: readonly unknown[]): Promise<unknown> => {
  const data = ledgerInterface.encodeFunctionData(name, args);
  const result = (await chain.request('eth_call', [{ to: contract, data }, 'latest'])) as Hex;
  return ledgerInterface.decodeFunctionResult(name, result)[0];
};

const transact = (chain: ChainPort, contract: Hex, wallet: Wallet, name: string, args: readonly unknown[]) =>
  sendTransaction(chain, wallet, {
    to: contract,
    data: fromHex(ledgerInterface.encodeFunctionData(name, args)),
    gasLimit: GAS_ADMINISTRATION,
  });

/**
 * Admits a tenant with its administrator and makes `writer` one of its writers, where that isn't so already.
 * @throws LedgerError TRANSACTION_REFUSED when one of the wallets has no right to its part.
 */
export const admitTenant = async (
  chain: ChainPort,
  contract: Hex,
  tenantIdentity: string,
  wallets: { ledgerAdministrator: Wallet; tenantAdministrator: Wallet; writer: Wallet },
): Promise<void> => {
  const key = toHex(toKey(tenantIdentity));
  const { ledgerAdministrator, tenantAdministrator, writer } = wallets;
  const current = await callView(chain, contract, 'administratorOf', [key]);
  if (current === '0x0000000000000000000000000000000000000000') {
    await transact(chain, contract, ledgerAdministrator, 'admitTenant', [key, tenantAdministrator.address]);
  }
  if ((await callView(chain, contract, 'isWriter', [key, writer.address])) !== true) {
    await transact(chain, contract, tenantAdministrator, 'addWriter', [key, writer.address]);
  }
};
