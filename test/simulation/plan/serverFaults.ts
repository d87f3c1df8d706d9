// The faults of the machine that runs the server: kills, stops, its clock, its disk, and its clients' network.
import { dataPaths } from '../../../host/files/dataPaths.ts';
import type { ClientNetwork } from '../clients/exchange.ts';
import { type Disk, type DiskFailures, NO_FAILURES } from '../disk/disk.ts';
import { clockOffsets } from '../edges/globals.ts';
import type { Machine } from '../server/machine.ts';
import { DATA_DIR } from '../server/settings.ts';
import type { KillKind, KillPoint } from '../world/processes.ts';
import type { Random } from '../world/random.ts';
import { theWorld } from '../world/world.ts';
import { during } from './during.ts';
import type { Kills, PlannedKill } from './kills.ts';
import type { Fault } from './plan.ts';

/** What the faults of the machine act on. */
export interface ServerFaultTargets {
  readonly machine: Machine;
  readonly disk: Disk;
  readonly kills: Kills;
  readonly clients: ClientNetwork;
}

/** Operations that a server performs at least, so that a kill that waits for so many happens. */
export interface ExpectedOperations {
  /** From the time of the fault until nothing is left to do. */
  readonly untilQuiet: number;
  readonly ofStart: number;
  /** Parts of the data directory that the server writes to. */
  readonly places: readonly KillPlace[];
}

/** Parts of the data directory at whose operations kills are aimed. */
export type KillPlace = 'keys' | 'chain' | 'outbox' | 'index';

/** A kind of fault. */
export interface ServerFaultKind {
  /** How often it is drawn, relative to the others. */
  readonly weight: number;
  /** Its parameters, besides its time. */
  draw(random: Random, operations: ExpectedOperations): Omit<Fault, 'kind' | 'atMs'>;
  apply(fault: Fault, targets: ServerFaultTargets): void;
}

/** Free bytes of a disk that is not full. */
export const PLENTY_BYTES = 2 ** 32;

const note = (text: string): void => theWorld().note('fault', () => text);

/** Most operations that pass before a kill. Small numbers are frequent: they hit the work of single requests. */
const OPERATIONS_MAX = [4, 12, 40, 120];
/** Operations with which a server completes, after its start, what the one before it had begun. */
const RECOVERY_OPERATIONS = 8;
const KILL_KINDS: readonly KillKind[] = ['SIGKILL', 'power failure'];

const drawOperations = (random: Random, { untilQuiet }: ExpectedOperations): number =>
  random.integer(0, Math.min(random.pick(OPERATIONS_MAX), untilQuiet));

/** Share of the kills that count only the operations on one part of the data directory, and most of these. */
const AIMED_KILLS = 0.4;
const AIMED_OPERATIONS_MAX = [2, 8, 24];
/** Where the operations of the other kills are. */
export const ANYWHERE = 'anywhere';

// The operations that pass before a kill, and where. Operations on a part that has few would hardly be hit by chance.
const drawAim = (random: Random, { places }: ExpectedOperations, operations: number) =>
  random.chance(AIMED_KILLS)
    ? { operations: random.integer(0, random.pick(AIMED_OPERATIONS_MAX)), place: random.pick(places) }
    : { operations, place: ANYWHERE };

const drawKill = (random: Random, expected: ExpectedOperations, operations: number) => ({
  ...drawAim(random, expected, operations),
  point: random.pick<KillPoint>(['before', 'after']),
  how: random.pick(KILL_KINDS),
});

const toPlace = (place: Fault[string] | undefined): Pick<PlannedKill, 'place'> =>
  place === ANYWHERE ? {} : { place: dataPaths(DATA_DIR)[place as KillPlace] };

const toKill = ({ operations, point, how, place, file }: Fault): PlannedKill => ({
  operations: Number(operations),
  point: point as KillPoint,
  how: how as KillKind,
  ...toPlace(place),
  ...(file !== undefined && { file: String(file) }),
});

const describeAim = ({ operations, place, file }: Readonly<Record<string, Fault[string] | undefined>>): string =>
  `operation ${operations}${place === ANYWHERE ? '' : ` on ${place}`}${file === undefined ? '' : `, ${file}`}`;

// A server that is being started, or stopped already, is killed itself.
const stopAndKill = (machine: Machine, kills: Kills, kill: PlannedKill): void => {
  const isRunning = machine.server() !== undefined;
  if (isRunning || machine.process() === undefined) kills.armAtStart(kill);
  else kills.arm(kill);
  machine.stop();
};

const noteDuring = (fault: Fault, text: string, begin: () => void, end: () => void): void => {
  note(`${text}, for ${fault.durationMs} ms`);
  during(fault, begin, end);
};

const FAILURES: Readonly<Record<string, Partial<DiskFailures>>> = {
  writes: { writes: 1 },
  'some writes': { writes: 1 / 3 },
  'one write': { writes: 1, writesMax: 1 },
  syncs: { syncs: true },
};
const FAILURE_NOTES: Readonly<Record<string, string>> = {
  writes: 'all writes fail',
  'some writes': 'a third of the writes fail',
  'one write': 'the next write fails',
  syncs: 'all syncs fail',
};

/** What fails, each as often as it is there. The recovery after a second failed write hides the first one. */
const FAILING = [...Object.keys(FAILURES), 'one write', 'one write'];
/** Where writes fail. A disk that fails everywhere fails first where the server writes most, and hides the rest. */
const FAILING_PLACES = ['disk', 'outbox', 'outbox', 'index', 'chain'] as const;
type FailingPlace = (typeof FAILING_PLACES)[number];

const toDirectory = (place: FailingPlace): string | undefined =>
  place === 'disk' ? undefined : dataPaths(DATA_DIR)[place];

/** The kinds of faults of the machine. */
export const SERVER_FAULTS: Readonly<Record<string, ServerFaultKind>> = {
  kill: {
    weight: 4,
    draw: (random, expected) => drawKill(random, expected, drawOperations(random, expected)),
    apply: (fault, { kills }) => {
      note(`a ${fault.how} will end the server ${fault.point} its ${describeAim(fault)} from now`);
      kills.arm(toKill(fault));
    },
  },
  killAtStart: {
    weight: 3,
    draw: (random, expected) => {
      const end = drawAim(random, expected, drawOperations(random, expected));
      return {
        ...drawKill(random, expected, random.integer(0, expected.ofStart + RECOVERY_OPERATIONS)),
        endedBy: random.pick([...KILL_KINDS, ...KILL_KINDS, 'stop']),
        endedAt: end.operations,
        endedPlace: end.place,
      };
    },
    apply: (fault, { kills, machine }) => {
      const { endedBy, endedAt, endedPlace, how, point } = fault;
      const start = `a ${how} will end the start that follows ${point} its ${describeAim(fault)}`;
      if (endedBy === 'stop') {
        note(`the server is stopped; ${start}`);
        stopAndKill(machine, kills, toKill(fault));
      } else {
        const end = { operations: endedAt!, place: endedPlace!, how: endedBy! };
        note(`a ${endedBy} will end the server ${point} its ${describeAim(end)} from now; ${start}`);
        kills.arm({ ...toKill({ ...fault, ...end }), next: toKill(fault) });
      }
    },
  },
  killNow: {
    weight: 2,
    draw: (random) => ({ how: random.pick<KillKind>(['SIGKILL', 'power failure']) }),
    apply: ({ how }, { machine }) => machine.process()?.kill(how as KillKind),
  },
  stop: { weight: 1, draw: () => ({}), apply: (_fault, { machine }) => machine.stop() },
  clockJump: {
    weight: 1,
    draw: (random) => ({
      byMs: random.pick([-1, 1]) * random.pick([900, 5_000, 90_000]),
      durationMs: random.integer(1, 10_000),
    }),
    apply: (fault, { machine }) =>
      noteDuring(
        fault,
        `the clock of the server jumps by ${fault.byMs} ms`,
        () => clockOffsets.set(machine.name, Number(fault.byMs)),
        () => clockOffsets.delete(machine.name),
      ),
  },
  diskFull: {
    weight: 2,
    draw: (random) => ({ freeBytes: random.pick([0, 2_000, 8_000]), durationMs: random.integer(1, 15_000) }),
    apply: (fault, { disk }) =>
      noteDuring(
        fault,
        `the disk has ${fault.freeBytes} bytes left`,
        () => disk.setFreeBytes(Number(fault.freeBytes)),
        () => disk.setFreeBytes(PLENTY_BYTES),
      ),
  },
  diskErrors: {
    weight: 4,
    draw: (random) => ({
      failing: random.pick(FAILING),
      place: random.pick(FAILING_PLACES),
      durationMs: random.integer(1, 8_000),
    }),
    apply: (fault, { disk }) => {
      const failing = String(fault.failing);
      const directory = toDirectory(fault.place as FailingPlace);
      noteDuring(
        fault,
        `${FAILURE_NOTES[failing]} ${directory === undefined ? 'on the disk' : `in the directory ${fault.place}`}`,
        () => Object.assign(disk.failures, FAILURES[failing], { directory }),
        () => Object.assign(disk.failures, NO_FAILURES),
      );
    },
  },
  lossyClients: {
    weight: 1,
    draw: (random) => ({ rate: random.pick([0.1, 0.5]), durationMs: random.integer(1, 10_000) }),
    apply: (fault, { clients }) =>
      noteDuring(
        fault,
        `the clients' network loses ${Number(fault.rate) * 100} % of the messages`,
        () => Object.assign(clients, { lossRate: Number(fault.rate) }),
        () => Object.assign(clients, { lossRate: 0 }),
      ),
  },
};

/** Their names, each as often as its weight. */
export const SERVER_FAULT_NAMES: readonly string[] = Object.entries(SERVER_FAULTS).flatMap(([name, { weight }]) =>
  Array.from({ length: weight }, () => name),
);
