// Pays for the gas of a benchmark: where gas costs something, somebody must fund the relayer first.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchReceipt, fetchTransactionCount, toTransactionHash } from '../../chain/jsonRpc/chainQueries.ts';
import type { JsonRpcClient } from '../../chain/jsonRpc/jsonRpcClient.ts';
import { fetchFees } from '../../chain/network/fetchBid.ts';
import type { Fees } from '../../chain/port.ts';
import { toPrice } from '../../chain/toPrice.ts';
import { createWallet, type Wallet } from '../../chain/wallet.ts';
import { signTransaction } from '../../chain/writing/signTransaction.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';

/** A relayer that needs gas. */
export interface Funding {
  readonly client: JsonRpcClient;
  readonly chainId: number;
  readonly relayer: Hex;
  /** How long the benchmark runs: all blocks may be full of its transactions. */
  readonly seconds: number;
  /** File with the private key of an account that pays, as 64 hexadecimal digits after `0x`; undefined: wait. */
  readonly keyFile: string | undefined;
  readonly onWaiting: (message: string) => void;
}

const TRANSFER_GAS = 21_000;
const POLL_MS = 500;
/** How much more than full blocks of one second at today's price: blocks may come faster, and prices rise. */
const MARGIN = 2n;

const FREE: Fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

/** The fees of a transaction; none where the base fee is zero, although nodes report a tip there. */
export const fetchLeastFees = async (client: JsonRpcClient): Promise<Fees> => {
  const fees = await fetchFees(client);
  return 'maxFeePerGas' in fees && fees.maxFeePerGas === fees.maxPriorityFeePerGas ? FREE : fees;
};

const readKey = async (path: string): Promise<Wallet> => {
  const text = (await readFile(path, 'utf8')).trim();
  if (!/^0x[0-9a-f]{64}$/i.test(text)) throw new Error(`${path} has no private key of 64 hexadecimal digits after 0x`);
  return createWallet(fromHex(text.toLowerCase() as Hex));
};

const fetchBalance = async (client: JsonRpcClient, address: Hex): Promise<bigint> =>
  BigInt((await client.request('eth_getBalance', [address, 'latest'])) as string);

const fetchGasLimit = async (client: JsonRpcClient): Promise<bigint> =>
  BigInt(((await client.request('eth_getBlockByNumber', ['latest', false])) as { gasLimit: string }).gasLimit);

const transfer = async ({ client, chainId, relayer }: Funding, payer: Wallet, value: bigint): Promise<void> => {
  const [nonce, fees] = await Promise.all([fetchTransactionCount(client, payer.address), fetchFees(client)]);
  const fields = { chainId, nonce, fees, gasLimit: TRANSFER_GAS, to: fromHex(relayer), value, data: new Uint8Array(0) };
  const raw = signTransaction(fields, payer);
  await client.request('eth_sendRawTransaction', [toHex(raw)]);
  while ((await fetchReceipt(client, toTransactionHash(raw))) === undefined) await sleep(POLL_MS);
};

/** Returns once the relayer can pay for the run; at once where gas is free. Without a key it waits for somebody. */
export const fundRelayer = async (funding: Funding): Promise<void> => {
  const { client, relayer, seconds, keyFile, onWaiting } = funding;
  const price = toPrice(await fetchLeastFees(client));
  const needed = price * (await fetchGasLimit(client)) * BigInt(Math.ceil(seconds)) * MARGIN;
  if ((await fetchBalance(client, relayer)) >= needed) return;
  if (keyFile !== undefined) await transfer(funding, await readKey(keyFile), needed);
  else onWaiting(`waiting until the relayer ${relayer} has ${needed} wei, for gas at ${price} wei`);
  while ((await fetchBalance(client, relayer)) < needed) await sleep(POLL_MS);
};
