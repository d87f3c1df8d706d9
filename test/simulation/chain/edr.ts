// Stands in for chain/embedded/edr.ts: the embedded chain's engine, as a part of the simulated process. Its memory ends
// with the process, so no operation changes anything outside of it.
import type { Edr, RpcCall } from '../../../chain/embedded/edr.ts';
import { type GenesisConfig, NOBODY } from '../../../chain/embedded/genesis.ts';
import { RPC_CODE, RpcError, refuseParams } from '../../../chain/jsonRpc/rpcError.ts';
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import { perform } from '../world/processes.ts';
import { createGenesisBlock, mineBlock, type SimulatedBlock } from './blocks.ts';
import { createBoundedCache } from './boundedCache.ts';
import { createSimulatedChain, type SimulatedChain } from './chainView.ts';
import { createRpcAnswers, type RpcAnswers } from './rpcAnswers.ts';
import { decodeTransactionText } from './transactions.ts';

export type { Edr, RpcCall } from '../../../chain/embedded/edr.ts';

const LATENCY_MS = [0, 3] as const;

/** Faults of the replays of a run. */
export interface ReplayFaults {
  /** Longest time that the replay of a block takes, in virtual milliseconds. */
  blockMsMax: number;
  /** Blocks after which the next replays fail; undefined: none does. */
  failsAfter: number | undefined;
}

const NO_REPLAY_FAULTS: ReplayFaults = { blockMsMax: 0, failsAfter: undefined };

/** The faults of the replays that run now. */
export const replayFaults: ReplayFaults = { ...NO_REPLAY_FAULTS };

/** Sets the faults of the replays of a run; without `faults` there are none. */
export const setReplayFaults = (faults: Partial<ReplayFaults> = {}): void =>
  void Object.assign(replayFaults, NO_REPLAY_FAULTS, faults);

// Only a replay reads the block by its number right after its transaction.
const countReplayed = (calls: readonly RpcCall[]): number =>
  calls.filter(({ method }, at) => method === 'eth_getBlockByNumber' && calls[at - 1]?.method === SEND).length -
  calls.filter(({ method }) => method === 'eth_getLogs').length;
const BLOCKS_CACHED = 512;
const GENESES_CACHED = 64;
// EDR suggests a gwei.
const TERMS = { clientVersion: 'edr/simulated', tipPerGas: () => 1_000_000_000n };
// The base fee of the embedded chain stays 0.
const FREE = { baseFeePerGas: 0n };
const SEND = 'eth_sendRawTransaction';

const geneses = createBoundedCache<SimulatedBlock>(GENESES_CACHED);
// Replays of a journal mine the same blocks again.
const minedBlocks = createBoundedCache<SimulatedBlock>(BLOCKS_CACHED);

const createGenesis = ({ chainId, blockGasLimit, transactionGasMax, coinbase, genesisTimeSeconds }: GenesisConfig) => {
  const terms = { chainId, blockGasLimit, transactionGasMax, coinbase: coinbase ?? NOBODY };
  return createGenesisBlock(terms, { timestampSeconds: genesisTimeSeconds, ...FREE });
};

const refuse = (message: string): RpcError => new RpcError(RPC_CODE.REFUSED, message);

type Control = (params: readonly unknown[]) => unknown;

// The methods that change the chain: time of the next block, transactions, and the snapshots of the journal's repair.
const createControls = (chain: SimulatedChain): ReadonlyMap<string, Control> => {
  const snapshots: number[] = [];
  let nextTimestamp: number | undefined;
  const setTimestamp: Control = ([value]) => {
    const seconds = Number(value);
    const before = chain.head.timestampSeconds;
    if (seconds < before) throw refuse(`Timestamp ${seconds} is lower than the previous block's timestamp ${before}`);
    nextTimestamp = seconds;
    return `${seconds}`;
  };
  const send: Control = ([text]) => {
    const { head } = chain;
    const timestampSeconds = nextTimestamp ?? head.timestampSeconds + 1;
    const transaction = decodeTransactionText(text);
    if (transaction.chainId !== head.terms.chainId) throw refuseParams('the transaction has another chain id');
    const block = minedBlocks.get(`${head.hash} ${timestampSeconds} ${transaction.hash}`, () =>
      mineBlock(head, [transaction], { timestampSeconds, ...FREE }),
    );
    nextTimestamp = undefined;
    chain.push(block);
    return transaction.hash;
  };
  const revert: Control = ([snapshot]) => {
    const number = snapshots[Number(snapshot) - 1];
    if (number === undefined) return false;
    snapshots.length = Number(snapshot) - 1;
    chain.truncate(number);
    return true;
  };
  return new Map([
    ['evm_setNextBlockTimestamp', setTimestamp],
    [SEND, send],
    ['evm_snapshot', () => toQuantity(snapshots.push(chain.head.number))],
    ['evm_revert', revert],
  ]);
};

const createAnswers = (config: GenesisConfig): RpcAnswers => {
  const chain = createSimulatedChain(geneses.get(JSON.stringify(config), () => createGenesis(config)));
  const controls = createControls(chain);
  const read = createRpcAnswers(chain, TERMS);
  return (method, params) => {
    const control = controls.get(method);
    return control === undefined ? read(method, params) : control(params);
  };
};

/** Starts a simulated chain at its genesis block. */
export const createEdr = async (config: GenesisConfig): Promise<Edr> => {
  const answer = createAnswers(config);
  const ask = <T>(
    methods: () => string,
    effect: () => T,
    delayMs: readonly [number, number] = LATENCY_MS,
  ): Promise<T> => perform({ what: () => `ask the embedded chain for ${methods()}`, delayMs, changes: false, effect });
  let replayed = 0;
  const answerAll = (calls: readonly RpcCall[]): unknown[] => {
    replayed += countReplayed(calls);
    const { failsAfter } = replayFaults;
    if (failsAfter !== undefined && countReplayed(calls) > 0 && replayed > failsAfter)
      throw new Error('the engine failed');
    return calls.map(({ method, params }) => answer(method, params));
  };
  return {
    request: (method, params) =>
      ask(
        () => method,
        () => answer(method, params),
      ),
    requestText: (method, params) =>
      ask(
        () => method,
        () => JSON.stringify(answer(method, params)),
      ),
    requestAll: (calls: readonly RpcCall[]) =>
      ask(
        () => calls.map(({ method }) => method).join(),
        () => answerAll(calls),
        [LATENCY_MS[0], Math.max(LATENCY_MS[1], countReplayed(calls) * replayFaults.blockMsMax)],
      ),
  };
};
