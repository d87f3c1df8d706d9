// Identifies processes beyond their number, which the system uses again.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A process, with the moment of its start in the notation of the platform. Equal values are the same process.
 * @typedef {{ pid: number, startedAt: string }} ProcessIdentity
 */

const PAUSE_MS = 20;
/**
 * Field 22 of /proc/PID/stat counted from the state, field 3 (proc(5)): fields are separated by spaces after the name
 * in brackets.
 */
const START_TIME = 22 - 3;

/** @param {number} pid */
const readStartOnLinux = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; its parent has not collected it.
    return fields[0] === 'Z' ? undefined : fields[START_TIME];
  } catch {
    return undefined;
  }
};

/** @param {number} pid */
const readStartByPs = (pid) => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const [, state, start] = /^\s*(\S+)\s+(.*\S)\s*$/m.exec(stdout ?? '') ?? [];
  return state?.startsWith('Z') ? undefined : start;
};

/**
 * Returns the identity of a running process, undefined when it has ended.
 * @param {number} pid
 * @returns {ProcessIdentity | undefined}
 */
export const identify = (pid) => {
  const startedAt = existsSync('/proc/self/stat') ? readStartOnLinux(pid) : readStartByPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
};

/** @param {ProcessIdentity | undefined} identity */
export const isRunning = (identity) =>
  identity !== undefined && identify(identity.pid)?.startedAt === identity.startedAt;

/**
 * Kills the process group that a process leads.
 * @param {number} pid
 */
export const killGroup = (pid) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The group has ended already.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
};

/**
 * Kills a process group that its starter left behind, and waits until its leader has ended.
 * @param {ProcessIdentity | undefined} leader
 */
export const killOrphan = async (leader) => {
  if (leader === undefined || !isRunning(leader)) return;
  killGroup(leader.pid);
  while (isRunning(leader)) await sleep(PAUSE_MS);
};
