// What a file of tests leaves behind in its process: it would outlive the tests, or change those of the next file.
import { setTimeout as sleep } from 'node:timers/promises';

// Sockets, files and timers end by themselves or with the process; these would outlive or outlast it.
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

const { setTimeout: realSetTimeout, fetch: realFetch, Date: realDate } = globalThis;

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
  'global setTimeout': String(globalThis.setTimeout === realSetTimeout),
  'global fetch': String(globalThis.fetch === realFetch),
  'global Date': String(globalThis.Date === realDate),
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
      .map(([kind, count]) => [KINDS[kind]!, count - (open.get(kind) ?? 0)] as const)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`);
  return async () => {
    const endMs = performance.now() + CLOSING_MS;
    while (find().length > 0 && performance.now() < endMs) await sleep(PAUSE_MS);
    return [...find(), ...changesOf(state)];
  };
};
