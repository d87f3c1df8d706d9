// The parts of one run: the machine with its server and disk, the chain, the clients, and the model of what they saw.
import { setReplayFaults } from './chain/edr.ts';
import type { ChainKind, ChainOfRun } from './chains/chainKind.ts';
import { EMBEDDED } from './chains/embeddedKind.ts';
import { NETWORK } from './chains/networkKind.ts';
import { type Bounds, createBounds } from './checks/bounds.ts';
import { createSubmissions, type Submissions } from './checks/submissions.ts';
import type { ClientWorld } from './clients/creations.ts';
import { createHistory, type History } from './clients/history.ts';
import { Disk, NO_FAILURES } from './disk/disk.ts';
import { mountDisk } from './disk/mounts.ts';
import { clockOffsets } from './edges/globals.ts';
import { createKills, type Kills } from './plan/kills.ts';
import type { Plan } from './plan/plan.ts';
import { PLENTY_BYTES } from './plan/serverFaults.ts';
import { createMachine, type Machine } from './server/machine.ts';
import { DATA_DIR, SERVER, type ServerSettings, toLedgerOptions } from './server/settings.ts';
import type { LedgerTemplate } from './server/template.ts';
import { setKills } from './world/processes.ts';
import { createWorld, type Note, type World } from './world/world.ts';

/** The kinds of chain by name. */
export const CHAINS: Readonly<Record<Plan['chain'], ChainKind>> = {
  embedded: EMBEDDED as ChainKind,
  network: NETWORK as ChainKind,
};

/** One run. */
export interface Simulation {
  readonly plan: Plan;
  readonly world: World;
  readonly template: LedgerTemplate;
  readonly machine: Machine;
  readonly disk: Disk;
  readonly chain: ChainOfRun;
  readonly kills: Kills;
  readonly clients: ClientWorld;
  readonly history: History;
  /** How often each fault and kill point occurred, by `group: name`. */
  readonly counts: Map<string, number>;
  readonly bounds: Bounds;
  readonly submissions: Submissions;
  /** Clients that have not finished. */
  readonly activeClients: Set<string>;
  /** Ends all faults: nothing fails from now on. */
  heal(): void;
}

// The name of an operation without the numbers of files and the root of the disk.
const toCommonName = (what: string): string => what.replaceAll(`${DATA_DIR}/`, '').replaceAll(/\d+/g, 'N');

/** Opens the world of a plan, with a copy of the template; nothing runs yet. */
export const openSimulation = async (plan: Plan, onNote?: (note: Note) => void): Promise<Simulation> => {
  const kind = CHAINS[plan.chain];
  const template = await kind.openTemplate(plan.settings);
  const world = createWorld(plan.seed, onNote);
  clockOffsets.clear();
  setReplayFaults({ blockMsMax: plan.settings.replayMs ?? 0 });
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const disk = plan.settings.isFirstStart ? new Disk() : template.ledger.disk.clone();
  disk.isJournaled = plan.settings.isJournaled === 1;
  mountDisk(SERVER, disk);
  const chain = kind.open(plan, template);
  const kills = createKills((point, what) => {
    count(`kill points: ${point} ${toCommonName(what)}`);
    count(machine.server() === undefined ? 'kills: during a start' : 'kills: of a running server');
  });
  setKills(kills.decide);
  const bounds = createBounds(plan);
  const submissions = createSubmissions();
  const machine: Machine = createMachine({
    name: SERVER,
    ledger: {
      ...toLedgerOptions(plan.settings as unknown as ServerSettings, chain.network),
      onBatch: (records) => {
        bounds.onBatch(records, machine.server());
        submissions.add(records);
      },
    },
    crash: (how) => disk.crash(how, world.stream('crashes')),
    onStart: kills.onStart,
  });
  const history = createHistory(template.ledger.streams);
  const clients = { machine, network: { lossRate: 0 }, history };
  return {
    plan,
    world,
    template: template.ledger,
    machine,
    disk,
    chain,
    kills,
    clients,
    history,
    counts,
    bounds,
    submissions,
    activeClients: new Set(),
    heal: () => {
      world.note('faults', () => 'end');
      for (let left = kills.pending(); left > 0; left -= 1) count('kills: never reached');
      kills.disarm();
      clockOffsets.clear();
      setReplayFaults();
      disk.setFreeBytes(PLENTY_BYTES);
      Object.assign(disk.failures, NO_FAILURES);
      clients.network.lossRate = 0;
      chain.heal();
    },
  };
};
