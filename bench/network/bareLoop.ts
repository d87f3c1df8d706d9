// What the network takes without a server: transactions that were signed before, sent by a bare loop to one node.
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchTransactionCount } from '../../chain/jsonRpc/chainQueries.ts';
import type { JsonRpcClient } from '../../chain/jsonRpc/jsonRpcClient.ts';
import { RpcError } from '../../chain/jsonRpc/rpcError.ts';
import { toQuantity } from '../../chain/jsonRpc/toQuantity.ts';
import type { OnStep } from '../../host/ledgerOptions.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { type ChainUse, fetchBlockNumber, fetchChainUse } from './chainUse.ts';
import { fetchLeastFees } from './funding.ts';
import { type Signers, signCalldata, toCalldata } from './signedBatches.ts';

/** What a bare loop sends. */
export interface BareOrder {
  readonly client: JsonRpcClient;
  readonly signers: Signers;
  readonly recordsPerTransaction: number;
  /** How long it sends, where the node takes as many. */
  readonly seconds: number;
  /** Most transactions that are sent and not mined. */
  readonly inFlightMax: number;
  readonly onStep: OnStep;
}

/** What a bare loop measured. */
export interface BareResult {
  readonly recordsPerSecond: number;
  readonly use: ChainUse;
}

/** How many transactions of an account were mined, and when that was seen, of `performance.now`. */
export interface MinedCount {
  readonly atMs: number;
  readonly count: number;
}

const POLL_MS = 20;
/** A chain may count gas a little differently for later transactions. */
const GAS_PERCENT = 125;
/** For the levels that the tenant's tree gets while the loop runs: each takes a new slot. */
const GAS_OF_LEVELS = 100_000;
const SILENCE_MS_MAX = 60_000;
/** Memory for signed transactions, as bytes of calldata, and what a record takes of it. */
const SIGNED_BYTES_MAX = 100 * 2 ** 20;
const BYTES_PER_RECORD = 1_024;
/** Fewest transactions, so that they are in more than one block. */
const TRANSACTIONS_MIN = 8;
/** Blocks whose times give the interval. */
const INTERVAL_BLOCKS = 10;

const estimateGas = async ({ client, signers }: BareOrder, data: Uint8Array): Promise<number> => {
  const call = { from: signers.relayer.address, to: signers.contract, data: toHex(data) };
  return Number(await client.request('eth_estimateGas', [call]));
};

interface HeadBlock {
  readonly timestamp: string;
  readonly gasLimit: string;
}

const fetchHead = async (client: JsonRpcClient, number: number): Promise<HeadBlock> =>
  (await client.request('eth_getBlockByNumber', [toQuantity(number), false])) as HeadBlock;

// As many as full blocks of the time can hold, as far as memory allows.
const planTransactions = async (order: BareOrder, gas: number): Promise<number> => {
  const { client, seconds, recordsPerTransaction } = order;
  const number = await fetchBlockNumber(client);
  const older = Math.max(0, number - INTERVAL_BLOCKS);
  const [head, before] = await Promise.all([fetchHead(client, number), fetchHead(client, older)]);
  const interval = Math.max(1, Number(head.timestamp) - Number(before.timestamp)) / Math.max(1, number - older);
  const full = (Number(head.gasLimit) / gas) * (seconds / interval);
  const affordable = SIGNED_BYTES_MAX / (recordsPerTransaction * BYTES_PER_RECORD);
  return Math.max(TRANSACTIONS_MIN, Math.floor(Math.min(full, affordable)));
};

const signAll = async (order: BareOrder, firstNonce: number): Promise<Hex[]> => {
  const { client, signers, recordsPerTransaction, onStep } = order;
  const first = toCalldata(signers, 0, recordsPerTransaction);
  const gas = await estimateGas(order, first);
  const common = { gasLimit: Math.ceil((gas * GAS_PERCENT) / 100) + GAS_OF_LEVELS, fees: await fetchLeastFees(client) };
  const transactions = await planTransactions(order, gas);
  const signed: Hex[] = [];
  for (let at = 0; at < transactions; at += 1) {
    const data = at === 0 ? first : toCalldata(signers, at * recordsPerTransaction, recordsPerTransaction);
    signed.push(toHex(signCalldata(signers, data, firstNonce + at, common)));
    onStep({ title: 'signing', unit: 'transactions', done: at + 1, total: transactions });
  }
  return signed;
};

/**
 * The rate of a network in transactions per second, from the first block that was seen to the last but one, because
 * both the first and the last may hold only a part of what a block can; of two blocks, to the last.
 * @throws Error when fewer than two blocks were seen
 */
export const toMinedRate = (mined: readonly MinedCount[]): number => {
  const [first, last] = [mined[0], mined.at(mined.length > 2 ? -2 : -1)];
  if (first === undefined || last === undefined || mined.length < 2) {
    throw new Error('all transactions were in one block: let the loop send more of them');
  }
  return ((last.count - first.count) * 1000) / (last.atMs - first.atMs);
};

// The nonces that were sent, and those that were seen in blocks.
const createBareRun = (order: BareOrder, firstNonce: number) => {
  const { client, signers, seconds, inFlightMax, onStep } = order;
  const mined: MinedCount[] = [];
  const endMs = performance.now() + seconds * 1_000;
  let [sent, isSent] = [0, false];
  const countMined = (): number => mined.at(-1)?.count ?? 0;
  const watch = async (): Promise<void> => {
    for (let changedMs = performance.now(); !isSent || countMined() < sent; await sleep(POLL_MS)) {
      const count = (await fetchTransactionCount(client, signers.relayer.address)) - firstNonce;
      const atMs = performance.now();
      if (count > countMined()) {
        mined.push({ atMs, count });
        changedMs = atMs;
      }
      if (atMs - changedMs > SILENCE_MS_MAX) throw new Error(`no block took one within ${SILENCE_MS_MAX / 1000} s`);
    }
  };
  // A node that refuses a transaction has a full pool: the next attempt follows when one more is mined.
  const send = async (signed: readonly Hex[]): Promise<void> => {
    let limit = inFlightMax;
    while (sent < signed.length && performance.now() < endMs) {
      if (sent - countMined() >= limit) await sleep(POLL_MS);
      else {
        try {
          await client.request('eth_sendRawTransaction', [signed[sent]]);
          sent += 1;
          onStep({ title: 'bare loop', unit: 'transactions', done: sent, total: signed.length });
        } catch (error) {
          if (!(error instanceof RpcError) || sent === countMined()) throw error;
          limit = sent - countMined();
        }
      }
    }
  };
  return {
    mined,
    sent: () => sent,
    run: async (signed: readonly Hex[]): Promise<void> => {
      const sending = send(signed).finally(() => {
        isSent = true;
      });
      await Promise.all([sending, watch()]);
    },
  };
};

/**
 * Signs transactions, sends them as fast as the node takes them, and returns how many of their records it mined in a
 * second.
 * @throws Error when a record is not on the chain
 */
export const runBareLoop = async (order: BareOrder): Promise<BareResult> => {
  const { client, signers, recordsPerTransaction } = order;
  const firstNonce = await fetchTransactionCount(client, signers.relayer.address);
  const signed = await signAll(order, firstNonce);
  const from = await fetchBlockNumber(client);
  const { run, mined, sent } = createBareRun(order, firstNonce);
  await run(signed);
  const use = await fetchChainUse(client, signers.contract, { from, to: await fetchBlockNumber(client) });
  const expected = sent() * recordsPerTransaction;
  if (use.records !== expected) throw new Error(`the bare loop recorded ${use.records} of ${expected} records`);
  return { recordsPerSecond: toMinedRate(mined) * recordsPerTransaction, use };
};
