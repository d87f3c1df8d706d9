// Ends a process with everything that it started.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Process id and parent of a process on Linux; undefined when it has ended. */
const readParent = (pid: string): [number, number] | undefined => {
  try {
    // After the name in parentheses, which may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return [Number(pid), Number(fields[1])];
  } catch {
    return undefined;
  }
};

/** Process id and parent of every process. Small Linux machines have no `ps`. */
const listProcesses = (): [number, number][] => {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(readParent)
      .filter((pair) => pair !== undefined);
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
};

/** Process ids of the descendants, the children of a process before their own. */
const findDescendants = (pid: number): number[] => {
  const pairs = listProcesses();
  const found = [pid];
  for (const parent of found) for (const [child, of] of pairs) if (of === parent) found.push(child);
  return found.slice(1);
};

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
