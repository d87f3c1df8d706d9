// Measures what a file of tests costs the process that runs it, and what it leaves open.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
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

// Sockets, files and timers end by themselves or with the process; these three would outlive or outlast it.
const KINDS: Readonly<Record<string, string>> = {
  ProcessWrap: 'child process',
  TCPServerWrap: 'listening server',
  MessagePort: 'worker thread',
};
const CLOSING_MS = 3_000;
const PAUSE_MS = 20;

const countOpen = (): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) if (kind in KINDS) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
};

/** Remembers what is open now; the returned function says what has been opened since and does not close. */
export const watchOpen = (): (() => Promise<string[]>) => {
  const before = countOpen();
  const find = (): string[] =>
    [...countOpen()]
      .map(([kind, count]) => [KINDS[kind]!, count - (before.get(kind) ?? 0)] as const)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`);
  return async () => {
    const endMs = performance.now() + CLOSING_MS;
    while (find().length > 0 && performance.now() < endMs) await sleep(PAUSE_MS);
    return find();
  };
};
