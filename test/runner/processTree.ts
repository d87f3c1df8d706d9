// Ends a process with everything that it started.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface LinuxProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly hasEnded: boolean;
}

/** Reads a file of a process on Linux; undefined when the process is gone. */
const readOf = (pid: number, name: string): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
};

const readProcess = (pid: number): LinuxProcess | undefined => {
  // After the name in parentheses, which may contain spaces.
  const fields = readOf(pid, 'stat')?.split(') ').at(-1)?.split(' ');
  return fields && { pid, parent: Number(fields[1]), group: Number(fields[2]), hasEnded: fields[0] === 'Z' };
};

const listLinuxProcesses = (): LinuxProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((found) => found !== undefined);

/** Process id and parent of every process. Small Linux machines have no `ps`. */
const listProcesses = (): [number, number][] => {
  if (process.platform === 'linux') return listLinuxProcesses().map(({ pid, parent }) => [pid, parent]);
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
};

/** Process ids of the children of a process. */
export const findChildren = (pid: number): number[] =>
  listProcesses()
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child);

/** Process ids of the descendants, the children of a process before their own. */
const findDescendants = (pid: number): number[] => {
  const pairs = listProcesses();
  const found = [pid];
  for (const parent of found) for (const [child, of] of pairs) if (of === parent) found.push(child);
  return found.slice(1);
};

/** On Linux: the running children of this process, also detached ones, and the others of the group that it leads. */
export const listChildren = (): { readonly pid: number; readonly command: string }[] =>
  listLinuxProcesses()
    .filter(
      ({ pid, parent, group, hasEnded }) => !hasEnded && pid !== process.pid && [parent, group].includes(process.pid),
    )
    .map(({ pid }) => ({ pid, command: (readOf(pid, 'cmdline') ?? '').replaceAll('\0', ' ').trim().slice(0, 80) }));

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Kills what is left of the process group that a process led. */
export const killGroup = (pid: number): void => kill(-pid);

/**
 * Kills a process and its descendants, also those in process groups of their own. It is stopped first, so that it
 * starts no other process meanwhile.
 */
export const killTree = (pid: number): void => {
  try {
    process.kill(pid, 'SIGSTOP');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw error;
  }
  const descendants = findDescendants(pid);
  for (const one of [pid, ...descendants]) kill(one);
};
