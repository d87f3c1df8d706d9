// Memory and CPU time of another process, as Linux has them in /proc.
import { readFile } from 'node:fs/promises';

/** What a process has used so far. */
export interface ProcessUsage {
  /** Resident memory. */
  readonly residentBytes: number;
  readonly mainThreadCpuMs: number;
  /** All threads, those that have ended included. */
  readonly cpuMs: number;
}

// The kernel counts these fields in hundredths of a second on every platform that Node supports.
const MS_PER_TICK = 10;
/** Places of utime and stime (proc_pid_stat(5)) after the name, which is in parentheses and may contain anything. */
const [USER_TIME, SYSTEM_TIME] = [11, 12];

/** The CPU time in a `stat` file of /proc, in milliseconds. */
export const toCpuMs = (stat: string): number => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * MS_PER_TICK;
};

/** The resident memory in a `status` file of /proc, in bytes. */
export const toResidentBytes = (status: string): number => Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;

/** The resident memory of a process, in bytes. Rejects when there is no such process, or no /proc. */
export const readResidentBytes = async (pid: number): Promise<number> =>
  toResidentBytes(await readFile(`/proc/${pid}/status`, 'utf8'));

/** What a process has used so far. Rejects when there is no such process, or no /proc. */
export const readProcessUsage = async (pid: number): Promise<ProcessUsage> => {
  const [residentBytes, all, main] = await Promise.all([
    readResidentBytes(pid),
    readFile(`/proc/${pid}/stat`, 'utf8'),
    // The main thread has the process's number.
    readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8'),
  ]);
  return { residentBytes, mainThreadCpuMs: toCpuMs(main), cpuMs: toCpuMs(all) };
};
