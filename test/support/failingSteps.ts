// Watches what this process does with a directory, and lets one of these steps fail: an operation of Node or of LevelDB
// on its files, or a request to a node.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Level } from 'level';

type Method = (this: unknown, ...args: never[]) => unknown;
type Methods = Record<string, Method>;

/** One step: the first or a later one of its name. */
export interface Step {
  readonly name: string;
  /** 1 for the first. */
  readonly occurrence: number;
}

/** What was done while the steps were watched. */
export interface WatchedSteps {
  readonly steps: readonly Step[];
  /** Directories of the databases that are still open. */
  readonly openDatabases: readonly string[];
}

const FILE_METHODS = ['access', 'chmod', 'link', 'mkdir', 'open', 'readdir', 'readFile', 'rename', 'rm', 'stat'];
const SYNC_FILE_METHODS = ['readdirSync', 'readFileSync'];
const DATABASE_METHODS = ['_open', 'clear', 'del', 'get', 'getMany', 'put'];
const SYNC_DATABASE_METHODS = ['batch', 'getSync', 'snapshot'];
const ITERATOR_METHODS = ['all', 'next'];

const replace = (
  stack: DisposableStack,
  target: object,
  names: readonly string[],
  toMethod: (original: Method, name: string) => (this: unknown, ...args: never[]) => unknown,
): void => {
  const methods = target as Methods;
  for (const name of names) {
    const original = methods[name]!;
    methods[name] = toMethod(original, name);
    stack.defer(() => {
      methods[name] = original;
    });
  }
};

const locationOf = (database: unknown): string => (database as Level).location;

// Calls `onStep` before each step; what it throws is how the step fails.
const watchSteps = (stack: DisposableStack, directory: string, onStep: (name: string) => void): void => {
  const toStep = (name: string, path: string): string =>
    `${name} ${path.slice(directory.length).replaceAll(/\d+/g, 'N')}`;
  const before =
    (findPath: (target: unknown, args: unknown[]) => string, isAsync: boolean) =>
    (original: Method, name: string): Method =>
      function (this: unknown, ...args) {
        const path = findPath(this, args);
        const step = (): unknown => {
          if (path.startsWith(directory)) onStep(toStep(name, path));
          return original.apply(this, args);
        };
        return isAsync ? (async () => step())() : step();
      };
  const findFile = (_: unknown, [path]: unknown[]): string => String(path);
  replace(stack, fs.promises, FILE_METHODS, before(findFile, true));
  replace(stack, fs, SYNC_FILE_METHODS, before(findFile, false));
  replace(stack, Level.prototype, DATABASE_METHODS, before(locationOf, true));
  replace(stack, Level.prototype, SYNC_DATABASE_METHODS, before(locationOf, false));
  replace(
    stack,
    Level.prototype,
    ['iterator', 'keys'],
    (original) =>
      function (this: unknown, ...args) {
        const entries = original.apply(this, args) as object;
        replace(
          stack,
          entries,
          ITERATOR_METHODS,
          before(() => locationOf(this), true),
        );
        return entries;
      },
  );
  replace(stack, globalThis, ['fetch'], (original) => async (...args: unknown[]) => {
    const { body } = args[1] as { body: string };
    onStep(`request ${[JSON.parse(body)].flat()[0].method}`);
    return original.apply(undefined, args as never[]);
  });
  syncBuiltinESMExports();
};

const watchOpenDatabases = (stack: DisposableStack, open: Set<unknown>): void => {
  replace(
    stack,
    Level.prototype,
    ['_open'],
    (original) =>
      async function (this: unknown, ...args) {
        await original.apply(this, args);
        open.add(this);
      },
  );
  replace(
    stack,
    Level.prototype,
    ['_close'],
    (original) =>
      async function (this: unknown, ...args) {
        await original.apply(this, args);
        open.delete(this);
      },
  );
};

/**
 * Runs `act` with a directory while its steps are watched. The step `failing` fails, and `act` must handle that. Not
 * for two directories at the same time.
 */
export const withFailingStep = async (
  directory: string,
  failing: Step | undefined,
  act: () => Promise<unknown>,
): Promise<WatchedSteps> => {
  const steps: Step[] = [];
  const counts = new Map<string, number>();
  const open = new Set<unknown>();
  {
    using stack = new DisposableStack();
    stack.defer(syncBuiltinESMExports);
    watchOpenDatabases(stack, open);
    watchSteps(stack, directory, (name) => {
      const occurrence = (counts.get(name) ?? 0) + 1;
      counts.set(name, occurrence);
      steps.push({ name, occurrence });
      if (name === failing?.name && occurrence === failing.occurrence)
        throw Object.assign(new Error(`EIO: the test lets this fail: ${name}`), { code: 'EIO' });
    });
    await act();
  }
  return { steps, openDatabases: [...open].map(locationOf) };
};
