// Measures what a file of tests costs the process that runs it.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { FileCost } from './events.ts';

// Linux counts the CPU time of processes in hundredths of a second.
const TICK_MS = 10;

/** CPU time of the child processes that have ended and were waited for, in milliseconds; 0 except on Linux. */
const readChildrenMs = (): number => {
  if (process.platform !== 'linux') return 0;
  // After the name in parentheses, which may contain spaces: cutime and cstime are the fields 16 and 17 of all.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
};

interface Counters {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly childrenMs: number;
  readonly idleMs: number;
}

/** The counters of a process when it starts. */
export const PROCESS_START: Counters = { wallMs: 0, cpuMs: 0, childrenMs: 0, idleMs: 0 };

const readCounters = (): Counters => {
  const { user, system } = process.cpuUsage();
  return {
    wallMs: performance.now(),
    cpuMs: (user + system) / 1_000,
    childrenMs: readChildrenMs(),
    idleMs: performance.eventLoopUtilization().idle,
  };
};

/** Begins to measure, or has begun at earlier counters; the returned function ends it. */
export const startMeasuring = (since: Counters = readCounters()): (() => FileCost) => {
  let processes = 0;
  const count = (): void => {
    processes += 1;
  };
  subscribe('child_process', count);
  return () => {
    unsubscribe('child_process', count);
    const now = readCounters();
    return {
      wallMs: Math.round(now.wallMs - since.wallMs),
      cpuMs: Math.round(now.cpuMs - since.cpuMs),
      childrenMs: now.childrenMs - since.childrenMs,
      idleMs: Math.round(now.idleMs - since.idleMs),
      processes,
    };
  };
};
