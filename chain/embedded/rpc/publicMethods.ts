// The JSON-RPC methods that the embedded chain answers: reads, and signed transactions. The list names what is allowed,
// never what is forbidden: no method can set the clock or the state, or sign for an account.

import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import type { BlockRef } from '../../port.ts';
import { createSerialQueue } from '../../writing/serialQueue.ts';
import type { ProducedTransaction } from '../blockProducer.ts';
import { classifyTransaction, looksLikeLedgerTransaction } from './classifyTransaction.ts';
import type { ExecutionGas, ExecutionReads } from './executionGas.ts';
import { fetchPublicLogs } from './fetchPublicLogs.ts';
import type { Execution } from './intrinsicGas.ts';
import type { GasBudget, PublicGas } from './publicGas.ts';
import { assertParamCount, boundCall, boundProof, decodeBytesParam } from './publicParams.ts';
import { decodeTransaction, type PublicTransaction } from './publicTransaction.ts';

/**
 * Answers a method with JSON text. Rejects with `RpcError`, or with `LedgerError` when the chain is unavailable or
 * refuses.
 */
export type RpcAnswer = (method: string, params: readonly unknown[]) => Promise<string>;

type RpcHandler = (params: readonly unknown[]) => Promise<string>;

/** The chain as the public methods use it. */
export interface PublicChain {
  /** Runs a read while no block is being produced; no block is produced before it ends. */
  read<T>(task: () => Promise<T>): Promise<T>;
  /** Answers a method of the node; to be called within `read`, or while a transaction is being admitted. */
  readonly request: RpcAnswer;
  /** Answers a read of final blocks at once. */
  readonly readFinal: RpcAnswer;
  /** Mines a transaction alone after `admit` has resolved; passes on its rejection, and then mines nothing. */
  submit(raw: Uint8Array, admit: () => Promise<void>): Promise<ProducedTransaction>;
  fetchFinalHead(): Promise<BlockRef>;
  readonly executionGas: ExecutionGas;
  readonly executionReads: ExecutionReads;
  readonly publicGas: PublicGas;
  /** Frees the memory of executions that have ended. */
  collectAnswers(): Promise<void>;
  /** Size of the largest raw transaction, in bytes. */
  readonly transactionBytesMax: number;
}

/** Reads that go to the node unchanged, with their largest number of parameters. */
const READS: Readonly<Record<string, number>> = {
  eth_blobBaseFee: 0,
  eth_blockNumber: 0,
  eth_chainId: 0,
  eth_getBalance: 2,
  eth_getBlockByHash: 2,
  eth_getBlockByNumber: 2,
  eth_getBlockTransactionCountByHash: 1,
  eth_getBlockTransactionCountByNumber: 1,
  eth_getCode: 2,
  eth_getStorageAt: 3,
  eth_getTransactionByBlockHashAndIndex: 2,
  eth_getTransactionByBlockNumberAndIndex: 2,
  eth_getTransactionByHash: 1,
  eth_getTransactionCount: 2,
  eth_getTransactionReceipt: 1,
  eth_syncing: 0,
  net_version: 0,
  web3_clientVersion: 0,
  web3_sha3: 1,
};

/**
 * Constant answers: no accounts, no peers, and free gas, since the base fee is always zero. There is no
 * `eth_feeHistory`: with it, Hardhat bids one wei, which an account without a balance cannot pay; without it, Hardhat
 * requests `eth_gasPrice`.
 */
const CONSTANTS: Readonly<Record<string, string>> = {
  eth_accounts: '[]',
  eth_gasPrice: '"0x0"',
  eth_maxPriorityFeePerGas: '"0x0"',
  net_listening: 'true',
  net_peerCount: '"0x0"',
};

const assertGasLimit = async (chain: PublicChain, { gasLimit, execution }: PublicTransaction): Promise<void> => {
  const gasMax = await chain.executionGas.fetchGasMax(execution, chain.executionReads);
  if (gasLimit <= gasMax) return;
  throw new RpcError(RPC_CODE.LIMIT_EXCEEDED, `gas limit ${gasLimit} is over this node's limit now: ${gasMax}`);
};

// Before it is tried, a transaction must fit into one of the budgets.
const admitPublic = async (chain: PublicChain, transaction: PublicTransaction): Promise<GasBudget> => {
  await assertGasLimit(chain, transaction);
  const { gasLimit } = transaction;
  let budget: GasBudget = 'thirdParty';
  if (looksLikeLedgerTransaction(transaction, await chain.executionReads.fetchLedger())) {
    chain.publicGas.assertAnyLeft(gasLimit);
    budget = await classifyTransaction(transaction, chain.request);
  }
  chain.publicGas.assertLeft(budget, gasLimit);
  return budget;
};

const submitPublic = async (chain: PublicChain, params: readonly unknown[]): Promise<string> => {
  assertParamCount(params, 1);
  const raw = decodeBytesParam(params[0], 'the transaction');
  const transaction = decodeTransaction(raw, chain.transactionBytesMax);
  let budget: GasBudget = 'thirdParty';
  const admit = async (): Promise<void> => {
    budget = await admitPublic(chain, transaction);
  };
  const { hash, isKnown, gasUsed, outcome } = await chain.submit(raw, admit).finally(chain.collectAnswers);
  if (isKnown) throw new RpcError(RPC_CODE.REFUSED, 'already known');
  // A transaction without logs is a third party's at every replay (chain/embedded/thirdPartyBlocks.ts).
  chain.publicGas.spend(outcome === 'succeeded' ? budget : 'thirdParty', gasUsed);
  return JSON.stringify(hash);
};

// One execution at a time, and its trace is freed before the next: together they use the memory of one.
const createExecute = (chain: PublicChain) => {
  const runSerially = createSerialQueue();
  const fetchGasMax = (execution: Execution) => chain.executionGas.fetchGasMax(execution, chain.executionReads);
  const execute = async (method: string, params: readonly unknown[]): Promise<string> => {
    try {
      return await chain.read(async () => chain.request(method, await boundCall(params, fetchGasMax)));
    } finally {
      await chain.collectAnswers();
    }
  };
  return (method: string): RpcHandler =>
    (params) =>
      runSerially(() => execute(method, params));
};

const createHandlers = (chain: PublicChain): Map<string, RpcHandler> => {
  const reads = Object.entries(READS).map(([method, count]): [string, RpcHandler] => [
    method,
    async (params) => {
      assertParamCount(params, count);
      return chain.read(() => chain.request(method, params));
    },
  ]);
  const constants = Object.entries(CONSTANTS).map(([method, text]): [string, RpcHandler] => [method, async () => text]);
  const execute = createExecute(chain);
  const bounded: [string, RpcHandler][] = [
    ['eth_call', execute('eth_call')],
    ['eth_estimateGas', execute('eth_estimateGas')],
    ['eth_getProof', (params) => chain.read(async () => chain.request('eth_getProof', boundProof(params)))],
    [
      'eth_getLogs',
      async (params) => {
        assertParamCount(params, 1);
        const { number } = await chain.fetchFinalHead();
        return fetchPublicLogs(params[0], number, (filter) => {
          if (filter.blockHash === undefined) return chain.readFinal('eth_getLogs', [filter]);
          return chain.read(() => chain.request('eth_getLogs', [filter]));
        });
      },
    ],
    ['eth_sendRawTransaction', (params) => submitPublic(chain, params)],
  ];
  return new Map([...reads, ...constants, ...bounded]);
};

/** The public methods with their limits. Any other rejects with METHOD_NOT_FOUND. */
export const createPublicMethods = (chain: PublicChain): RpcAnswer => {
  const handlers = createHandlers(chain);
  return async (method, params) => {
    const handler = handlers.get(method);
    if (handler === undefined) {
      // With these words, ethers falls back from filters to polling.
      throw new RpcError(RPC_CODE.METHOD_NOT_FOUND, `the method ${method} does not exist/is not available`);
    }
    return handler(params);
  };
};
