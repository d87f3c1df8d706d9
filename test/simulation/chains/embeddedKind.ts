// Runs on the embedded chain, whose engine is in the server's process.
import { RPC_CODE, RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import type { Ledger } from '../../../host/openLedger.ts';
import { fromHex, type Hex } from '../../../ledger/encoding/hex.ts';
import { replayFaults } from '../chain/edr.ts';
import { during } from '../plan/during.ts';
import type { Fault, Plan } from '../plan/plan.ts';
import { ANYWHERE } from '../plan/serverFaults.ts';
import {
  failPowerAtLogChange,
  failWriteThenKill,
  killBeforeRefusalIsWritten,
  setClockBackWhileAway,
} from '../plan/serverScenarios.ts';
import type { Machine } from '../server/machine.ts';
import { createTemplate, type LedgerTemplate } from '../server/template.ts';
import { readActors } from '../thirdParties/actors.ts';
import { createThirdParties, type ThirdParties } from '../thirdParties/embeddedThirdParty.ts';
import {
  type Actors,
  findForeignKeys,
  toAppendCall,
  toForeignWrites,
  toRoleCall,
} from '../thirdParties/thirdPartyCalls.ts';
import type { Random } from '../world/random.ts';
import { theWorld } from '../world/world.ts';
import type { ChainKind, ChainOfRun } from './chainKind.ts';
import { findRefused, type RevertedCall } from './refusedRecords.ts';

interface EmbeddedTemplate {
  readonly ledger: LedgerTemplate;
  readonly actors: Actors;
}

/** Longest times that the replay of a block takes, in milliseconds. */
const REPLAY_MS = [0, 0, 20, 200];
/** Blocks of which the first is the one at which a replay fails. */
const REPLAYED_BLOCKS_MAX = 12;
/** Share of the runs that begin with an empty disk. */
const FIRST_STARTS = 0.2;
/** Operations on keys of a first start between which the name of the administrator's key is not on the disk. */
const KEY_OPERATIONS = [13, 15] as const;
/** Operations of the start that follows, about, between which it appends the blocks that need the key. */
const BLOCK_OPERATIONS = [30, 80] as const;
const NUMBER_MAX = 0xfffff;
const TENANTS = 2;

let template: Promise<EmbeddedTemplate> | undefined;

const openTemplate = (): Promise<EmbeddedTemplate> => {
  template ??= createTemplate(async () => undefined).then(async (ledger) => ({
    ledger,
    actors: await readActors(ledger),
  }));
  return template;
};

const drawFault: ChainKind['drawFault'] = (random, fault) => {
  const tenant = random.integer(0, TENANTS - 1);
  if (fault.kind === 'failReplay')
    return {
      ...fault,
      blocks: random.integer(0, REPLAYED_BLOCKS_MAX),
      stops: random.chance(0.7),
      durationMs: random.integer(1, 8_000),
    };
  if (fault.kind === 'removeWriter') return { ...fault, tenant, durationMs: random.integer(1, 3_000) };
  return { ...fault, tenant, records: random.integer(1, 3), number: random.integer(0, NUMBER_MAX) };
};

// A start is killed while it creates keys; the next one finds them, uses them, and loses what is not on the disk.
const killWhileKeysAreCreated = (random: Random): readonly Fault[] => {
  const end = { endedBy: 'SIGKILL', endedAt: random.integer(...KEY_OPERATIONS), endedPlace: 'keys' };
  const next = { how: 'power failure', operations: random.integer(...BLOCK_OPERATIONS), place: ANYWHERE };
  return [{ kind: 'killAtStart', atMs: 0, point: random.pick(['before', 'after']), ...end, ...next }];
};

const COMMON = [failWriteThenKill, failWriteThenKill, failPowerAtLogChange, failPowerAtLogChange];
/** Scenarios of other starts, each as often as it is there. Few runs have a file system without a journal. */
const SCENARIOS = {
  withJournal: [...COMMON, killBeforeRefusalIsWritten, setClockBackWhileAway],
  withoutJournal: [...COMMON, failPowerAtLogChange, failPowerAtLogChange],
} as const;

const drawScenario: ChainKind['drawScenario'] = (random, creation, settings) => {
  if (settings.isFirstStart === 1) return killWhileKeysAreCreated(random);
  const scenarios = settings.isJournaled === 0 ? SCENARIOS.withoutJournal : SCENARIOS.withJournal;
  return creation && random.pick(scenarios)(random, creation, settings);
};

interface FaultTargets {
  readonly thirdParties: ThirdParties;
  readonly machine: Machine;
  readonly actors: Actors;
  /** Removals of writers that have begun, and whose writer was not added again. */
  readonly removals: Set<string>;
}

const removeWriter = (
  { thirdParties, machine, actors: { contract, tenants }, removals }: FaultTargets,
  { atMs, tenant, durationMs }: Fault,
): void => {
  const removal = `tenant ${tenant} has no writer since ${atMs} ms`;
  removals.add(removal);
  const actor = tenants[Number(tenant)]!;
  const send = (method: 'removeWriter' | 'addWriter', onMined?: () => void): void =>
    thirdParties.send(machine, {
      what: `${method} of tenant ${tenant}, planned at ${atMs} ms`,
      wallet: actor.administrator,
      call: toRoleCall(contract, actor, method),
      ...(onMined && { onMined }),
    });
  const add = (): void =>
    send('addWriter', () => {
      removals.delete(removal);
    });
  send('removeWriter', () => theWorld().schedule(Number(durationMs), add));
};

const writeDirectly = ({ thirdParties, machine, actors: { contract, tenants } }: FaultTargets, fault: Fault): void => {
  const { tenant, records, number } = fault;
  const actor = tenants[Number(tenant)]!;
  const call = toAppendCall(contract, actor, toForeignWrites(actor, fault));
  const what = `the author of tenant ${tenant} appends ${records} records without the server (${number})`;
  thirdParties.send(machine, { what, wallet: actor.author, call });
};

const failReplays = ({ machine }: FaultTargets, fault: Fault): void => {
  theWorld().note('fault', () => `replays fail after ${fault.blocks} blocks, for ${fault.durationMs} ms`);
  during(
    fault,
    () => {
      replayFaults.failsAfter = Number(fault.blocks);
    },
    () => {
      replayFaults.failsAfter = undefined;
    },
  );
  if (fault.stops === true) machine.stop();
};

const FAULTS = { removeWriter, foreignWriter: writeDirectly, failReplay: failReplays } as const;

interface BlockWithTransactions {
  readonly transactions: readonly { readonly from: Hex; readonly to: Hex | null; readonly input: Hex }[];
}

// A block has one transaction, and one that reverted changed nothing: the same call reverts after it, too.
const callAgain = async ({ chain }: Ledger, number: number): Promise<RevertedCall[]> => {
  const block = (await chain.request('eth_getBlockByNumber', [toQuantity(number), true])) as BlockWithTransactions;
  const { from, to, input } = block.transactions[0]!;
  try {
    await chain.request('eth_call', [{ from, to, data: input }, toQuantity(number)]);
    return [];
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== RPC_CODE.REVERTED) throw error;
    return [{ data: fromHex(input), output: error.data as Hex }];
  }
};

const readRefused = async (ledger: Ledger, lastBlock: number): Promise<Set<string>> => {
  const { number } = await ledger.chain.fetchFinalHead();
  const reverted: RevertedCall[] = [];
  for (let at = lastBlock + 1; at <= number; at += 1) reverted.push(...(await callAgain(ledger, at)));
  return findRefused(reverted);
};

const open = ({ faults }: Plan, { ledger: { deploymentBlock, lastBlock }, actors }: EmbeddedTemplate): ChainOfRun => {
  const thirdParties = createThirdParties();
  const foreign = findForeignKeys(faults);
  const removals = new Set<string>();
  return {
    network: undefined,
    start: () => undefined,
    applyFault: (fault, machine) => {
      if (!Object.hasOwn(FAULTS, fault.kind)) return false;
      FAULTS[fault.kind as keyof typeof FAULTS]({ thirdParties, machine, actors, removals }, fault);
      return true;
    },
    heal: () => undefined,
    counts: () => [],
    countWaiting: () => 0,
    findUnfinished: () => [...thirdParties.unfinished(), ...removals],
    readRefused: (ledger) => readRefused(ledger, lastBlock),
    readUndone: () => ({ reverted: new Set(), replaced: new Set() }),
    readLogs: async ({ chain, contract }) => {
      const { number } = await chain.fetchFinalHead();
      const logs = await chain.fetchRecordLogs({ address: contract, fromBlock: deploymentBlock, toBlock: number });
      return logs.filter(({ blockNumber, recordKey }) => blockNumber > lastBlock && !foreign.has(recordKey));
    },
  };
};

/** The embedded chain: most of its faults are those of the machine. */
export const EMBEDDED: ChainKind<EmbeddedTemplate> = {
  drawSettings: (random) =>
    // On a file system without a journal, a first start can lose the name of each file.
    random.chance(FIRST_STARTS)
      ? { isFirstStart: 1, isJournaled: random.pick([0, 0, 1]) }
      : { isFirstStart: 0, replayMs: random.pick(REPLAY_MS) },
  faultNames: Object.keys(FAULTS),
  drawFault,
  drawScenario,
  openTemplate,
  open,
};
