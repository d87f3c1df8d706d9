// The embedded chain as its public methods use it.
import type { Hex } from '../../../ledger/encoding/hex.ts';
import type { BlockRef } from '../../port.ts';
import type { ProducedTransaction, TryFirst } from '../blockProducer.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ExecutionGas, ExecutionReads } from './executionGas.ts';
import type { PublicFilters } from './filters/publicFilters.ts';
import type { PublicGas } from './publicGas.ts';
import type { RunWork } from './rpcWork.ts';
import { boundStateBlock } from './stateBounds.ts';

/** Who gets an answer. */
export interface AnswerClient {
  /** The client's network, or what else takes turns with others. */
  readonly party: string;
  /** Registers what is undone if the answer doesn't reach the client. */
  readonly undoIfLost: (undo: () => void) => void;
}

/**
 * Answers a method with JSON text. Rejects with `RpcError`, or with `LedgerError` when the chain is unavailable or
 * refuses. `run` runs its parts, at once unless given; without `client`, it is this process.
 */
export type RpcAnswer = (
  method: string,
  params: readonly unknown[],
  run?: RunWork,
  client?: AnswerClient,
) => Promise<string>;

/** Answers a method of the engine with JSON text. Rejects as `RpcAnswer`. */
type EngineAnswer = (method: string, params: readonly unknown[]) => Promise<string>;

/** The chain as the public methods use it. */
export interface PublicChain {
  /** Runs a read while no block is being produced; no block is produced before it ends. */
  read<T>(task: () => Promise<T>): Promise<T>;
  /** Answers a method of the node; to be called within `read`, or while a transaction is being admitted. */
  readonly request: EngineAnswer;
  /** Answers a read of final blocks at once. */
  readonly readFinal: EngineAnswer;
  /**
   * Mines a transaction alone after `admit` has resolved; passes on its rejection, and then mines nothing. What `admit`
   * resolves with is called before it is mined, if it isn't undefined.
   */
  submit(raw: Uint8Array, admit: () => Promise<TryFirst | undefined>): Promise<ProducedTransaction>;
  fetchFinalHead(): Promise<BlockRef>;
  /** Gas that all transactions of the chain have used. */
  gasUsed(): number;
  readonly executionGas: ExecutionGas;
  readonly executionReads: ExecutionReads;
  readonly publicGas: PublicGas;
  /** Whether the memory that is left is reserved for reads. */
  isMemoryReserved(): boolean;
  readonly sandbox: Sandbox;
  readonly filters: PublicFilters;
  /** Frees the memory of executions that have ended. */
  collectAnswers(): Promise<void>;
  /** Size of the largest raw transaction, in bytes. */
  readonly transactionBytesMax: number;
}

const fetchNumber = async (chain: PublicChain, hash: Hex): Promise<number | undefined> => {
  const block = JSON.parse(await chain.request('eth_getBlockByHash', [hash, false])) as { number: Hex } | null;
  return block === null ? undefined : Number(block.number);
};

/**
 * The first parameters and the block of a state, which `blockAt` says the position of. To be called within `read`, so
 * that the newest block stays the newest.
 */
export const boundState = async (
  chain: PublicChain,
  params: readonly unknown[],
  blockAt: number,
): Promise<unknown[]> => {
  const { number: head } = await chain.fetchFinalHead();
  const others = Array.from({ length: blockAt }, (_, at) => params[at]);
  return [...others, await boundStateBlock(params[blockAt], { head, fetchNumber: (hash) => fetchNumber(chain, hash) })];
};
