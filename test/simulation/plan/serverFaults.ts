// The faults of the machine that runs the server: kills, stops, its clock, its disk, and its clients' network.
import type { ClientNetwork } from '../clients/exchange.ts';
import type { Disk } from '../disk/disk.ts';
import { clockOffsets } from '../edges/globals.ts';
import type { Machine } from '../server/machine.ts';
import type { KillKind, KillPoint } from '../world/processes.ts';
import type { Random } from '../world/random.ts';
import { theWorld } from '../world/world.ts';
import type { Kills } from './kills.ts';
import type { Fault } from './plan.ts';

/** What the faults of the machine act on. */
export interface ServerFaultTargets {
  readonly machine: Machine;
  readonly disk: Disk;
  readonly kills: Kills;
  readonly clients: ClientNetwork;
}

/** A kind of fault. */
export interface ServerFaultKind {
  /** How often it is drawn, relative to the others. */
  readonly weight: number;
  /** Its parameters, besides its time. */
  draw(random: Random): Omit<Fault, 'kind' | 'atMs'>;
  apply(fault: Fault, targets: ServerFaultTargets): void;
}

/** Free bytes of a disk that is not full. */
export const PLENTY_BYTES = 2 ** 32;

const note = (text: string): void => theWorld().note('fault', () => text);

const drawKill = (random: Random): Omit<Fault, 'kind' | 'atMs'> => ({
  operations: random.integer(0, random.pick([4, 12, 40, 120])),
  point: random.pick<KillPoint>(['before', 'after']),
  how: random.pick<KillKind>(['SIGKILL', 'power failure']),
});

const toKill = ({ operations, point, how }: Fault) => ({
  operations: Number(operations),
  point: point as KillPoint,
  how: how as KillKind,
});

const during = (fault: Fault, text: string, begin: () => void, end: () => void): void => {
  note(`${text}, for ${fault.durationMs} ms`);
  begin();
  theWorld().schedule(Number(fault.durationMs), end);
};

/** The kinds of faults of the machine. */
export const SERVER_FAULTS: Readonly<Record<string, ServerFaultKind>> = {
  kill: {
    weight: 6,
    draw: drawKill,
    apply: (fault, { kills }) => {
      note(`a ${fault.how} will end the server ${fault.point} its operation ${fault.operations} from now`);
      kills.arm(toKill(fault));
    },
  },
  killAtStart: {
    weight: 4,
    draw: drawKill,
    apply: (fault, { kills }) => {
      note(`a ${fault.how} will end the next start of the server ${fault.point} its operation ${fault.operations}`);
      kills.armAtStart(toKill(fault));
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
      durationMs: random.integer(1, 20_000),
    }),
    apply: (fault, { machine }) =>
      during(
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
      during(
        fault,
        `the disk has ${fault.freeBytes} bytes left`,
        () => disk.setFreeBytes(Number(fault.freeBytes)),
        () => disk.setFreeBytes(PLENTY_BYTES),
      ),
  },
  diskErrors: {
    weight: 1,
    draw: (random) => ({ failing: random.pick(['writes', 'syncs']), durationMs: random.integer(1, 8_000) }),
    apply: (fault, { disk }) => {
      const failing = fault.failing as 'writes' | 'syncs';
      during(
        fault,
        `all ${failing} of the disk fail`,
        () => Object.assign(disk.failures, { [failing]: true }),
        () => Object.assign(disk.failures, { [failing]: false }),
      );
    },
  },
  lossyClients: {
    weight: 1,
    draw: (random) => ({ rate: random.pick([0.1, 0.5]), durationMs: random.integer(1, 10_000) }),
    apply: (fault, { clients }) =>
      during(
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
