// The JSON-RPC methods that the embedded chain answers: reads, and signed transactions. The list names what is allowed,
// never what is forbidden: no method can set the clock or the state, or sign for an account.

import type { Hex } from '../../../ledger/encoding/hex.ts';
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
import { boundStateBlock, PROOF_GAS_MAX, refuseProof } from './stateBounds.ts';

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
  /** Gas that all transactions of the chain have used. */
  gasUsed(): number;
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
  eth_getBlockByHash: 2,
  eth_getBlockByNumber: 2,
  eth_getBlockTransactionCountByHash: 1,
  eth_getBlockTransactionCountByNumber: 1,
  eth_getTransactionByBlockHashAndIndex: 2,
  eth_getTransactionByBlockNumberAndIndex: 2,
  eth_getTransactionByHash: 1,
  eth_getTransactionReceipt: 1,
  eth_syncing: 0,
  net_version: 0,
  web3_clientVersion: 0,
  web3_sha3: 1,
};

/** Reads of the state of a block, with the position of that block among their parameters. */
const STATE_READS: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
};
const PROOF_BLOCK_AT = 2;

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

const fetchNumber = async (chain: PublicChain, hash: Hex): Promise<number | undefined> => {
  const block = JSON.parse(await chain.request('eth_getBlockByHash', [hash, false])) as { number: Hex } | null;
  return block === null ? undefined : Number(block.number);
};

// To be called within `read`, so that the newest block stays the newest.
const boundState = async (chain: PublicChain, params: readonly unknown[], blockAt: number): Promise<unknown[]> => {
  const { number: head } = await chain.fetchFinalHead();
  const others = Array.from({ length: blockAt }, (_, at) => params[at]);
  return [...others, await boundStateBlock(params[blockAt], { head, fetchNumber: (hash) => fetchNumber(chain, hash) })];
};

const createStateRead = (chain: PublicChain, method: string, blockAt: number): RpcHandler => {
  return async (params) => {
    assertParamCount(params, blockAt + 1);
    return chain.read(async () => chain.request(method, await boundState(chain, params, blockAt)));
  };
};

type RunSerially = ReturnType<typeof createSerialQueue>;

// One execution at a time, and its trace is freed before the next: together they use the memory of one.
const createExecute = (chain: PublicChain, runSerially: RunSerially) => {
  const fetchGasMax = (execution: Execution) => chain.executionGas.fetchGasMax(execution, chain.executionReads);
  const execute = async (method: string, params: readonly unknown[]): Promise<string> => {
    try {
      return await chain.read(async () =>
        chain.request(method, await boundState(chain, await boundCall(params, fetchGasMax), 1)),
      );
    } finally {
      await chain.collectAnswers();
    }
  };
  return (method: string): RpcHandler =>
    (params) =>
      runSerially(() => execute(method, params));
};

const assertProvable = async (chain: PublicChain, address: unknown): Promise<void> => {
  const gasUsed = chain.gasUsed();
  if (gasUsed > PROOF_GAS_MAX && (await chain.executionReads.hasCode(address as Hex))) throw refuseProof(gasUsed);
};

const createProve = (chain: PublicChain, runSerially: RunSerially): RpcHandler => {
  const prove = async (params: readonly unknown[]): Promise<string> => {
    await assertProvable(chain, params[0]);
    return chain.request('eth_getProof', await boundState(chain, params, PROOF_BLOCK_AT));
  };
  return async (params) => {
    const bounded = boundProof(params);
    return runSerially(() => chain.read(() => prove(bounded)));
  };
};

const createHandlers = (chain: PublicChain): Map<string, RpcHandler> => {
  const reads = Object.entries(READS).map(([method, count]): [string, RpcHandler] => [
    method,
    async (params) => {
      assertParamCount(params, count);
      return chain.read(() => chain.request(method, params));
    },
  ]);
  const states = Object.entries(STATE_READS).map(([method, blockAt]): [string, RpcHandler] => [
    method,
    createStateRead(chain, method, blockAt),
  ]);
  const constants = Object.entries(CONSTANTS).map(([method, text]): [string, RpcHandler] => [method, async () => text]);
  const runSerially = createSerialQueue();
  const execute = createExecute(chain, runSerially);
  const bounded: [string, RpcHandler][] = [
    ['eth_call', execute('eth_call')],
    ['eth_estimateGas', execute('eth_estimateGas')],
    ['eth_getProof', createProve(chain, runSerially)],
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
  return new Map([...reads, ...states, ...constants, ...bounded]);
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
