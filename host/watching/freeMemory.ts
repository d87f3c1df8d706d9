// How much memory is left: of the machine, and of each control group that this process is in. A group counts what all
// of its processes use, such as the engine of the embedded chain beside this one.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';

/** Memory that is left below a limit, in bytes. */
export interface FreeMemory {
  readonly freeBytes: number;
  readonly limitBytes: number;
}

// The files of a group of either version of control groups (Linux: Documentation/admin-guide/cgroup-v2.rst, section
// "Memory", and cgroup-v1/memory.rst, section 5). Files that were read and are not in use can be dropped at once, so
// they count as free.
interface GroupFiles {
  /** Where the groups are, below the root. */
  readonly mount: string;
  readonly limit: string;
  readonly used: string;
  readonly droppable: RegExp;
}

const VERSION_2: GroupFiles = {
  mount: 'sys/fs/cgroup',
  limit: 'memory.max',
  used: 'memory.current',
  droppable: /^inactive_file (\d+)$/m,
};
const VERSION_1: GroupFiles = {
  mount: 'sys/fs/cgroup/memory',
  limit: 'memory.limit_in_bytes',
  used: 'memory.usage_in_bytes',
  droppable: /^total_inactive_file (\d+)$/m,
};

// A container may not see the files of the groups around its own.
const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

// The limit of a group without one is `max`, or a number that no machine has.
const readGroup = ({ limit, used, droppable }: GroupFiles, directory: string): FreeMemory | undefined => {
  const limitBytes = Number(readText(join(directory, limit)));
  const usedBytes = Number(readText(join(directory, used)));
  if (!(limitBytes > 0 && usedBytes > 0)) return undefined;
  const droppableBytes = Number(droppable.exec(readText(join(directory, 'memory.stat')) ?? '')?.[1] ?? 0);
  return { freeBytes: limitBytes - usedBytes + droppableBytes, limitBytes };
};

const readGroups = (root: string): FreeMemory[] => {
  const found: FreeMemory[] = [];
  for (const line of readText(join(root, 'proc/self/cgroup'))?.split('\n') ?? []) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    const files = controllers.split(',').includes('memory') ? VERSION_1 : VERSION_2;
    if (files === VERSION_2 && controllers !== '') continue;
    for (let group = path; ; group = dirname(group)) {
      const free = readGroup(files, join(root, files.mount, group));
      if (free !== undefined) found.push(free);
      if (group === dirname(group)) break;
    }
  }
  return found;
};

/** The memory that is left where least is. `root`: where the files of the system are. */
export const readFreeMemory = (root = '/'): FreeMemory => {
  const machine: FreeMemory = { freeBytes: os.freemem(), limitBytes: os.totalmem() };
  return readGroups(root).reduce((least, group) => (group.freeBytes < least.freeBytes ? group : least), machine);
};
