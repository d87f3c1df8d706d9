// Ends a process with everything that it started.
import { execFileSync } from 'node:child_process';

/** Process ids of the descendants, the children of a process before their own. */
const findDescendants = (pid: number): number[] => {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
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
