// Where the code of third parties is executed before, or instead of, the chain's engine: a fork of the chain in a
// process of its own. The engine's native code aborts its process when it panics, and what makes it panic is code that
// anybody can send (docs/adr/0011-sandbox.md). A fork reads what it needs from the chain, and has what the next block
// draws, so that it executes a transaction as the chain does.
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import { toQuantity } from '../../jsonRpc/toQuantity.ts';
import { createSerialQueue } from '../../writing/serialQueue.ts';
import type { ForkPoint } from '../edr.ts';
import { EngineEnded } from '../engine/engine.ts';
import { type AnswerText, type Edr, toEdr } from '../engine/toEdr.ts';
import type { GenesisConfig } from '../genesis.ts';
import { createChainReads } from './chainReads.ts';
import { createEndReports } from './endReports.ts';
import { createSandboxProcesses, type SandboxState, type StartSandbox } from './sandboxProcess.ts';

/** Executes the code of third parties. */
export interface Sandbox {
  /** Gets ready for `tryTransaction`; rejects at once with UNAVAILABLE while an ended engine is being replaced. */
  prepare(): Promise<void>;
  /**
   * Answers a call on the state of a block. Rejects with RpcError as the engine does, with REFUSED when the engine of
   * the sandbox ends while it executes the call, and at once with UNAVAILABLE while the next one is being started.
   */
  call(method: string, call: unknown, block: SandboxBlock): Promise<string>;
  /**
   * Executes a transaction as the block after the newest, which must stay the newest meanwhile. Rejects as `call` does,
   * as the engine does when it refuses the transaction, and at once with UNAVAILABLE when it isn't ready.
   */
  tryTransaction(raw: Uint8Array, timestampSeconds: number): Promise<void>;
  /** Executes an `eth_call` on the newest state, as `tryTransaction` a transaction. */
  tryCall(call: unknown): Promise<string>;
  /** What is known about its processes together. */
  readState(): SandboxState;
  close(): Promise<void>;
}

/** A block, and whether what would be mined after it is meant. */
export interface SandboxBlock {
  readonly number: number;
  readonly isPending: boolean;
}

interface ForkedBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly mixHash: Hex;
  readonly parentBeaconBlockRoot: Hex;
}

// EDR draws both by hashing those of the block before, from seeds of its own.
const toNext = (drawn: Hex): Hex => toHex(keccak256(fromHex(drawn)));

const fetchPoint = async (edr: Edr, block: string): Promise<ForkPoint> => {
  const forked = (await edr.request('eth_getBlockByNumber', [block, false])) as ForkedBlock;
  const number = Number(forked.number);
  const nextBeaconRoot = number === 0 ? undefined : toNext(forked.parentBeaconBlockRoot);
  return { number, hash: forked.hash, nextRandao: toNext(forked.mixHash), nextBeaconRoot };
};

const toReason = ({ message, cause }: Error): string => (cause instanceof Error ? toReason(cause) : message);

const refuse = (failure: Error): RpcError => {
  if (failure instanceof EngineEnded)
    return new RpcError(RPC_CODE.REFUSED, 'the engine cannot execute this: it ended while it tried');
  const { cause } = failure;
  if (cause instanceof RpcError && cause.code === RPC_CODE.UNAVAILABLE) return cause;
  return new RpcError(RPC_CODE.REFUSED, `this could not be executed apart from the chain: ${toReason(failure)}`);
};

// The engine's errors stay as they are; all others are about the sandbox.
const orRefuse = async <T>(task: Promise<T>): Promise<T> => {
  try {
    return await task;
  } catch (cause) {
    throw cause instanceof RpcError ? cause : refuse(cause as Error);
  }
};

// Runs one request at a time: its process is the only one that a panic ends.
const createRuns = (
  edr: Edr,
  start: (answerRead: (body: string) => Promise<string>) => ReturnType<StartSandbox>,
  onEnded: (cause: EngineEnded) => void,
) => {
  const runSerially = createSerialQueue();
  const state = { forkedNumber: 0, failure: undefined as Error | undefined };
  const answerRead = createChainReads(
    edr,
    () => state.forkedNumber,
    (cause) => {
      state.failure ??= cause;
    },
  );
  const processes = createSandboxProcesses(() => start(answerRead), onEnded);
  const run = async (point: ForkPoint, payload: string): Promise<string> => {
    const process = await processes.current();
    Object.assign(state, { forkedNumber: point.number, failure: undefined });
    const text = await process.run({ point, payload });
    if (state.failure !== undefined) throw state.failure;
    return text;
  };
  return {
    prepare: processes.current,
    at: (point: ForkPoint): Edr => toEdr(((payload) => runSerially(() => run(point, payload))) satisfies AnswerText),
    assertReady: processes.assertRunning,
    readState: processes.readState,
    close: processes.close,
  };
};

const addStates = (one: SandboxState, other: SandboxState): SandboxState => ({
  endedCount: one.endedCount + other.endedCount,
  memoryBytes: one.memoryBytes + other.memoryBytes,
});

/**
 * The sandbox of a chain whose engine is `edr`. Its processes are started when they are needed: one for calls and one
 * for transactions, since blocks wait for the latter.
 */
export const createSandbox = (options: {
  edr: Edr;
  config: GenesisConfig;
  start: StartSandbox;
  onProblem: (message: string, cause?: unknown) => void;
}): Sandbox => {
  const { edr, config, start, onProblem } = options;
  const reportEnd = createEndReports(onProblem, () => performance.now());
  const create = () => createRuns(edr, (answerRead) => start(config, answerRead), reportEnd);
  const [calls, transactions] = [create(), create()];
  const call = async (method: string, parameter: unknown, { number, isPending }: SandboxBlock): Promise<string> => {
    const point = await fetchPoint(edr, toQuantity(number));
    return calls.at(point).requestText(method, [parameter, isPending ? 'pending' : 'latest']);
  };
  const forkNewest = async (): Promise<Edr> => {
    transactions.assertReady();
    return transactions.at(await fetchPoint(edr, 'latest'));
  };
  const tryCall = async (parameter: unknown): Promise<string> =>
    (await forkNewest()).requestText('eth_call', [parameter, 'latest']);
  const tryTransaction = async (raw: Uint8Array, timestampSeconds: number): Promise<void> => {
    const fork = await forkNewest();
    await fork.requestAll([
      { method: 'evm_setNextBlockTimestamp', params: [timestampSeconds] },
      { method: 'eth_sendRawTransaction', params: [toHex(raw)] },
    ]);
  };
  return {
    prepare: async () => void (await orRefuse(transactions.prepare())),
    call: (...parameters) => orRefuse(call(...parameters)),
    tryTransaction: (...parameters) => orRefuse(tryTransaction(...parameters)),
    tryCall: (parameter) => orRefuse(tryCall(parameter)),
    readState: () => addStates(calls.readState(), transactions.readState()),
    close: async () => void (await Promise.all([calls.close(), transactions.close()])),
  };
};
