// The JSON-RPC methods that the embedded chain answers: reads, and signed transactions. The list names what is allowed,
// never what is forbidden: no method can set the clock or the state, or sign for an account.
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import { createSerialQueue } from '../../writing/serialQueue.ts';
import { toPublicError } from './engineRefusals.ts';
import { fetchPublicLogs } from './fetchPublicLogs.ts';
import { createFilterMethods } from './filters/filterMethods.ts';
import { type AnswerClient, boundState, type PublicChain, type RpcAnswer } from './publicChain.ts';
import { createExecute } from './publicExecution.ts';
import { assertParamCount } from './publicParams.ts';
import { submitPublic } from './publicSubmission.ts';
import { fetchBlockReceipts } from './reads/blockReceipts.ts';
import { fetchFeeHistory } from './reads/feeHistory.ts';
import { assertProofParams, fetchProof } from './reads/proof.ts';
import { fetchRawTransaction } from './reads/rawTransaction.ts';
import { type RunWork, runAtOnce } from './rpcWork.ts';
import { PROOF_GAS_MAX, refuseProof } from './stateBounds.ts';

type RpcHandler = (params: readonly unknown[], run: RunWork, client: AnswerClient) => Promise<string>;

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

/** Reads of blocks that the engine doesn't offer, or not in this form. */
const BLOCK_READS: Readonly<Record<string, (chain: PublicChain, params: readonly unknown[]) => Promise<string>>> = {
  eth_feeHistory: fetchFeeHistory,
  eth_getBlockReceipts: fetchBlockReceipts,
  eth_getRawTransactionByHash: fetchRawTransaction,
};

/** Constant answers: no accounts, no peers, and free gas, since the base fee is always zero. */
const CONSTANTS: Readonly<Record<string, string>> = {
  eth_accounts: '[]',
  eth_gasPrice: '"0x0"',
  eth_maxPriorityFeePerGas: '"0x0"',
  net_listening: 'true',
  net_peerCount: '"0x0"',
};

const createStateRead = (chain: PublicChain, method: string, blockAt: number): RpcHandler => {
  const read = (params: readonly unknown[]) =>
    chain.read(async () => chain.request(method, await boundState(chain, params, blockAt)));
  return async (params, run) => {
    assertParamCount(params, blockAt + 1);
    return run('reads', () => read(params));
  };
};

const assertProvable = async (chain: PublicChain, address: unknown): Promise<void> => {
  const gasUsed = chain.gasUsed();
  if (gasUsed > PROOF_GAS_MAX && (await chain.executionReads.hasCode(address as Hex))) throw refuseProof(gasUsed);
};

const createProve = (chain: PublicChain, runSerially: ReturnType<typeof createSerialQueue>): RpcHandler => {
  const prove = async (params: readonly unknown[]): Promise<string> => {
    await assertProvable(chain, params[0]);
    return fetchProof(chain, params);
  };
  return async (params, run) => {
    assertProofParams(params);
    return run('executions', () => runSerially(() => chain.read(() => prove(params))));
  };
};

const createFetchLogs = (chain: PublicChain): RpcHandler => {
  const fetchLogs = async (filter: unknown): Promise<string> => {
    const { number } = await chain.fetchFinalHead();
    return fetchPublicLogs(filter, number, (bounded) => {
      if (bounded.blockHash === undefined) return chain.readFinal('eth_getLogs', [bounded]);
      return chain.read(() => chain.request('eth_getLogs', [bounded]));
    });
  };
  return async (params, run) => {
    assertParamCount(params, 1);
    return run('logs', () => fetchLogs(params[0]));
  };
};

const createHandlers = (chain: PublicChain): Map<string, RpcHandler> => {
  const reads = Object.entries(READS).map(([method, count]): [string, RpcHandler] => [
    method,
    async (params, run) => {
      assertParamCount(params, count);
      return run('reads', () => chain.read(() => chain.request(method, params)));
    },
  ]);
  const states = Object.entries(STATE_READS).map(([method, blockAt]): [string, RpcHandler] => [
    method,
    createStateRead(chain, method, blockAt),
  ]);
  const blocks = Object.entries(BLOCK_READS).map(([method, fetch]): [string, RpcHandler] => [
    method,
    (params, run) => run('reads', () => chain.read(() => fetch(chain, params))),
  ]);
  const constants = Object.entries(CONSTANTS).map(([method, text]): [string, RpcHandler] => [method, async () => text]);
  const runSerially = createSerialQueue();
  const execute = createExecute(chain, runSerially);
  const bounded: [string, RpcHandler][] = [
    ['eth_call', execute('eth_call')],
    ['eth_estimateGas', execute('eth_estimateGas')],
    ['eth_getProof', createProve(chain, runSerially)],
    ['eth_getLogs', createFetchLogs(chain)],
    ['eth_sendRawTransaction', (params, run) => run('transactions', () => submitPublic(chain, params))],
  ];
  return new Map([...reads, ...states, ...blocks, ...constants, ...bounded, ...createFilterMethods(chain)]);
};

// Its answers aren't lost.
const THIS_PROCESS: AnswerClient = { party: '', undoIfLost: () => undefined };

/** The public methods with their limits. Any other rejects with METHOD_NOT_FOUND. */
export const createPublicMethods = (chain: PublicChain): RpcAnswer => {
  const handlers = createHandlers(chain);
  return async (method, params, run = runAtOnce, client = THIS_PROCESS) => {
    const handler = handlers.get(method);
    if (handler === undefined) {
      throw new RpcError(RPC_CODE.METHOD_NOT_FOUND, `the method ${method} does not exist/is not available`);
    }
    try {
      return await handler(params, run, client);
    } catch (error) {
      throw toPublicError(method, error);
    }
  };
};
