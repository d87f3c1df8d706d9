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

/** Begins to measure; the returned function ends it. */
export const startMeasuring = (): (() => FileCost) => {
  const beginMs = performance.now();
  const cpu = process.cpuUsage();
  const childrenMs = readChildrenMs();
  const loop = performance.eventLoopUtilization();
  let processes = 0;
  const count = (): void => {
    processes += 1;
  };
  subscribe('child_process', count);
  return () => {
    unsubscribe('child_process', count);
    const { user, system } = process.cpuUsage(cpu);
    return {
      wallMs: Math.round(performance.now() - beginMs),
      cpuMs: Math.round((user + system) / 1_000),
      childrenMs: readChildrenMs() - childrenMs,
      idleMs: Math.round(performance.eventLoopUtilization(loop).idle),
      processes,
    };
  };
};
