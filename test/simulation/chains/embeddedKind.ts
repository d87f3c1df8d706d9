// Runs on the embedded chain, whose engine is in the server's process.
import { EPOCH_MS } from '../edges/globals.ts';
import type { Fault, Plan } from '../plan/plan.ts';
import type { Machine } from '../server/machine.ts';
import { createTemplate, type LedgerTemplate } from '../server/template.ts';
import { readActors } from '../thirdParties/actors.ts';
import { createThirdParties, type ThirdParties } from '../thirdParties/embeddedThirdParty.ts';
import {
  type Actors,
  findForeignKeys,
  toAppendCall,
  toForeignRecords,
  toRoleCall,
} from '../thirdParties/thirdPartyCalls.ts';
import { theWorld } from '../world/world.ts';
import type { ChainKind, ChainOfRun } from './chainKind.ts';

interface EmbeddedTemplate {
  readonly ledger: LedgerTemplate;
  readonly actors: Actors;
}

/** Share of the runs that begin with an empty disk. */
const FIRST_STARTS = 0.2;
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
  if (fault.kind === 'removeWriter') return { ...fault, tenant, durationMs: random.integer(1, 3_000) };
  return { ...fault, tenant, records: random.integer(1, 3), number: random.integer(0, NUMBER_MAX) };
};

interface FaultTargets {
  readonly thirdParties: ThirdParties;
  readonly machine: Machine;
  readonly actors: Actors;
  /** When a tenant's author became a writer again, in milliseconds since 1970. */
  readonly refusals: Map<string, number>;
  /** Removals of writers that have begun, and whose writer was not added again. */
  readonly removals: Set<string>;
}

const removeWriter = (
  { thirdParties, machine, actors: { contract, tenants }, refusals, removals }: FaultTargets,
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
      refusals.set(actor.identity, EPOCH_MS + theWorld().nowMs());
    });
  send('removeWriter', () => theWorld().schedule(Number(durationMs), add));
};

const writeDirectly = (
  { thirdParties, machine, actors: { contract, tenants } }: FaultTargets,
  { tenant, records, number }: Fault,
): void => {
  const actor = tenants[Number(tenant)]!;
  const call = toAppendCall(contract, actor, toForeignRecords(Number(number), Number(records)));
  const what = `the author of tenant ${tenant} appends ${records} records without the server (${number})`;
  thirdParties.send(machine, { what, wallet: actor.author, call });
};

const FAULTS = { removeWriter, foreignWriter: writeDirectly } as const;

const open = ({ faults }: Plan, { ledger: { deploymentBlock, lastBlock }, actors }: EmbeddedTemplate): ChainOfRun => {
  const thirdParties = createThirdParties();
  const foreign = findForeignKeys(faults);
  const refusals = new Map<string, number>();
  const removals = new Set<string>();
  return {
    network: undefined,
    start: () => undefined,
    applyFault: (fault, machine) => {
      if (!Object.hasOwn(FAULTS, fault.kind)) return false;
      FAULTS[fault.kind as keyof typeof FAULTS]({ thirdParties, machine, actors, refusals, removals }, fault);
      return true;
    },
    heal: () => undefined,
    counts: () => [],
    countWaiting: () => 0,
    findUnfinished: () => [...thirdParties.unfinished(), ...removals],
    readRefusals: () => refusals,
    readLogs: async ({ chain, contract }) => {
      const { number } = await chain.fetchFinalHead();
      const logs = await chain.fetchRecordLogs({ address: contract, fromBlock: deploymentBlock, toBlock: number });
      return logs.filter(({ blockNumber, recordKey }) => blockNumber > lastBlock && !foreign.has(recordKey));
    },
  };
};

/** The embedded chain: most of its faults are those of the machine. */
export const EMBEDDED: ChainKind<EmbeddedTemplate> = {
  drawSettings: (random) => ({ isFirstStart: random.chance(FIRST_STARTS) ? 1 : 0 }),
  faultNames: Object.keys(FAULTS),
  drawFault,
  openTemplate,
  open,
};
