// What a file of tests leaves behind in its process: it would outlive the tests, or change those of the next file.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { listChildren } from './processTree.ts';
import { findTimers } from './timers.ts';

// Sockets and files end by themselves or with the process; these would outlive it, or change the next file's tests.
const KINDS: Readonly<Record<string, string>> = {
  TCPServerWrap: 'listening server',
  MessagePort: 'worker thread',
  Immediate: 'loop of setImmediate',
};
const CHILD = 'ProcessWrap';
const CLOSING_MS = 3_000;
const PAUSE_MS = 20;

/** Elsewhere than on Linux, a child that its parent may forget (`unref`) is not found. */
const describeChildren = (kinds: readonly string[]): string[] =>
  process.platform === 'linux'
    ? listChildren().map(({ pid, command }) => `child process ${pid} (${command})`)
    : kinds.filter((kind) => kind === CHILD).map(() => 'child process');

const listOpen = (): string[] => {
  const kinds = process.getActiveResourcesInfo();
  return [
    ...kinds.map((kind) => KINDS[kind]).filter((name) => name !== undefined),
    ...describeChildren(kinds),
    ...findTimers().map((place) => `timer that ${place} started`),
  ];
};

const countOpen = (): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const name of listOpen()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

// Node defines some globals by getters, which it replaces when they are first read.
const REAL_GLOBALS = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).flatMap(([name, { value }]) =>
  value === undefined ? [] : [[name, value as unknown] as const],
);

const isReal = (name: string, value: unknown): boolean =>
  Object.getOwnPropertyDescriptor(globalThis, name)?.value === value;

// The server sets its own once in each process, for the engine of the chain.
const readEnvironment = (): [string, string | undefined][] =>
  Object.entries(process.env)
    .filter(([name]) => !name.startsWith('__EDR_'))
    .map(([name, value]) => [`environment variable ${name}`, value]);

/** What the tests of a file may change only until they end. */
const readState = (): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(readEnvironment()),
  'working directory': process.cwd(),
  'exit code': String(process.exitCode ?? ''),
  ...Object.fromEntries(REAL_GLOBALS.map(([name, value]) => [`global ${name}`, String(isReal(name, value))])),
});

const changesOf = (before: ReturnType<typeof readState>): string[] => {
  const after = readState();
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).map((name) => `a changed ${name}`);
};

/** Remembers what there is now; the returned function says what has come since and does not end. */
export const watchLeftovers = (): (() => Promise<string[]>) => {
  const [open, state] = [countOpen(), readState()];
  const find = (): string[] =>
    [...countOpen()]
      .map(([name, count]) => [name, count - (open.get(name) ?? 0)] as const)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} x ${name}`);
  return async () => {
    const endMs = performance.now() + CLOSING_MS;
    for (;;) {
      // In which Node tells what nothing caught, and forgets the timers that have ended.
      await nextTurn();
      const left = find();
      if (left.length === 0 || performance.now() > endMs) return [...left, ...changesOf(state)];
      await sleep(PAUSE_MS);
    }
  };
};
