// Answers the JSON-RPC requests of third parties, of this process, and of the report on the state of nodes.
import process from 'node:process';
import type { ChainPort } from '../port.ts';
import type { BlockProducer } from './blockProducer.ts';
import type { ChainAccess } from './chainAccess.ts';
import type { EngineRuns } from './engine/engineRuns.ts';
import type { Edr } from './engine/toEdr.ts';
import type { GenesisConfig } from './genesis.ts';
import type { Replayed } from './replayJournal.ts';
import { createExecutionGas, EXECUTION_GAS_MAX, type ExecutionReads } from './rpc/executionGas.ts';
import { createPublicFilters, FILTER_LIMITS } from './rpc/filters/publicFilters.ts';
import type { RpcAnswer } from './rpc/publicChain.ts';
import { createPublicGas, PUBLIC_GAS_LIMITS, type PublicGasLimits } from './rpc/publicGas.ts';
import { createPublicMethods } from './rpc/publicMethods.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { LedgerAccounts } from './thirdPartyBlocks.ts';

/** Size of the largest transaction that the embedded chain accepts. */
export const TRANSACTION_BYTES_MAX = 512 * 1024;

/** Options of the requests to an embedded chain. */
export interface RequestOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Returns the accounts of the ledger on this chain; undefined until there is a ledger, and called again until then.
   * The code at the contract's address is trusted: it gets a higher gas limit than other code.
   */
  readonly findLedgerAccounts?: () => Promise<LedgerAccounts | undefined>;
  /** Largest gas limit for the steps of a third party's call or transaction, besides its intrinsic gas. */
  readonly callGasMax?: number | undefined;
  /** Milliseconds of a clock that is never set; those of the process unless given. */
  readonly elapsedMs?: (() => number) | undefined;
  /** Gas that transactions of the public methods may use. */
  readonly publicGas?: PublicGasLimits | undefined;
  readonly readAvailableBytes?: () => number;
  /** Whether no transaction of the public methods may take memory now. Undefined: each may. */
  readonly isMemoryReserved?: (() => boolean) | undefined;
}

/** The answers of a chain. */
interface Requests {
  readonly request: ChainPort['request'];
  readonly answer: RpcAnswer;
  readonly readStatus: ChainPort['request'];
}

/** The parts of a chain that requests use. */
interface RequestedChain {
  readonly config: GenesisConfig;
  readonly replay: EngineRuns;
  readonly producer: BlockProducer;
  readonly access: ChainAccess;
  readonly sandbox: Sandbox;
}

const createExecutionReads = (options: RequestOptions, edr: Edr): ExecutionReads => {
  let known: LedgerAccounts | undefined;
  return {
    fetchLedger: async () => {
      known ??= await options.findLedgerAccounts?.();
      return known?.contract;
    },
    hasCode: async (address) => (await edr.request('eth_getCode', [address, 'latest'])) !== '0x',
  };
};

const createAnswer = (
  options: RequestOptions,
  { replay: { edr, collectAnswers }, config, producer, access, sandbox }: RequestedChain,
  { gasUsed, thirdPartyGas: thirdPartySpent }: Replayed,
): RpcAnswer => {
  const elapsedMs = options.elapsedMs ?? (() => performance.now());
  return createPublicMethods({
    read: (task) => access.read(task, 'thirdParty'),
    request: edr.requestText,
    readFinal: edr.requestText,
    submit: access.submit,
    fetchFinalHead: async () => {
      access.assertRunning();
      return producer.head;
    },
    gasUsed: () => gasUsed + producer.gasUsed(),
    executionGas: createExecutionGas({
      gasMax: options.callGasMax ?? EXECUTION_GAS_MAX,
      transactionGasMax: config.transactionGasMax,
      readAvailableBytes: options.readAvailableBytes ?? (() => process.availableMemory()),
    }),
    executionReads: createExecutionReads(options, edr),
    publicGas: createPublicGas({
      limits: options.publicGas ?? PUBLIC_GAS_LIMITS,
      thirdPartySpent,
      now: elapsedMs,
    }),
    sandbox,
    filters: createPublicFilters(FILTER_LIMITS, elapsedMs),
    isMemoryReserved: options.isMemoryReserved ?? (() => false),
    collectAnswers,
    transactionBytesMax: TRANSACTION_BYTES_MAX,
  });
};

/** The methods of a chain that may still be replayed: the gas of third parties is known after that. */
export const createRequests = (options: RequestOptions, running: RequestedChain): Requests => {
  const { replay } = running;
  const methods = replay.completed.then((replayed) => createAnswer(options, running, replayed));
  methods.catch(() => undefined);
  const request: ChainPort['request'] = async (method, params) =>
    JSON.parse(await (await methods)(method, params)) as unknown;
  const answer: RpcAnswer = async (method, params, run, client) => {
    replay.assertOver();
    return (await methods)(method, params, run, client);
  };
  const readStatus: ChainPort['request'] = async (method, params) =>
    replay.isOver() ? request(method, params) : replay.readStatus(method, params);
  return { request, answer, readStatus };
};
