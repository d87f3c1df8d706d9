// The simulated disks by the name of their machine. The disk of machine `a` is at `/simulated/a/`.
import type { Disk } from './disk.ts';

/** Root of all simulated paths. */
const SIMULATED_ROOT = '/simulated/';

const disks = new Map<string, Disk>();

/** Mounts a disk for a machine, in place of the one before. Returns the path of its root. */
export const mountDisk = (machine: string, disk: Disk): string => {
  disks.set(machine, disk);
  return `${SIMULATED_ROOT}${machine}`;
};

/** Whether a path is on a simulated disk. */
export const isSimulated = (path: unknown): path is string =>
  typeof path === 'string' && path.startsWith(SIMULATED_ROOT);

/** The name of the machine that a path on a simulated disk belongs to. */
const machineOf = (path: string): string => path.slice(SIMULATED_ROOT.length).split('/', 1)[0]!;

/** The disk of a path. @throws Error when none is mounted there. */
export const diskOf = (path: string): Disk => {
  const disk = disks.get(machineOf(path));
  if (disk === undefined) throw new Error(`no simulated disk is mounted at ${path}`);
  return disk;
};
