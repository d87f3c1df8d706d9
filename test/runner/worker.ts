// A process that runs one file of tests after another, each with a mocha of its own, and tells the runner what happens.
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import Mocha from 'mocha';
import { mochaHooks } from '../support/hooks.ts';
import { type FileJob, send } from './events.ts';
import { EventsReporter } from './eventsReporter.ts';
import { startMeasuring } from './fileCost.ts';
import { watchLeftovers } from './leftovers.ts';
import { watchTimers } from './timers.ts';

const UNCAUGHT = ['uncaughtException', 'unhandledRejection'] as const;

// Mocha leaves its listeners; the next file must not end in them.
const keepListeners = (): (() => void) => {
  const before = UNCAUGHT.map((name) => new Set(process.listeners(name as 'uncaughtException')));
  return () => {
    for (const [at, name] of UNCAUGHT.entries())
      for (const listener of process.listeners(name as 'uncaughtException'))
        if (!before[at]!.has(listener)) process.removeListener(name, listener);
  };
};

const toText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : `thrown: ${inspect(error)}`;

/** Collects what nothing catches, before and after mocha does so. */
const collectUncaught = (): { readonly errors: string[]; listen(): void; ignore(): void } => {
  const errors: string[] = [];
  const add = (error: unknown): void => void errors.push(toText(error));
  return {
    errors,
    listen: () => process.on('uncaughtException', add),
    ignore: () => process.off('uncaughtException', add),
  };
};

/** Loads a file; an error is returned. */
const load = async (mocha: Mocha): Promise<string | undefined> => {
  try {
    await mocha.loadFilesAsync();
    return undefined;
  } catch (error) {
    return toText(error);
  }
};

const runTests = async (mocha: Mocha): Promise<void> => {
  const removeListeners = keepListeners();
  await new Promise<void>((done) => mocha.run(() => done()));
  removeListeners();
};

const runFile = async ({ file, pattern }: FileJob, timeoutMs: number): Promise<void> => {
  const mocha = new Mocha({ timeout: timeoutMs, reporter: EventsReporter, forbidOnly: true, rootHooks: mochaHooks });
  if (pattern !== undefined) mocha.grep(new RegExp(pattern));
  mocha.addFile(resolve(file));
  const uncaught = collectUncaught();
  const endMeasuring = startMeasuring();
  const findLeftovers = watchLeftovers();
  uncaught.listen();
  const loadError = await load(mocha);
  uncaught.ignore();
  if (loadError === undefined) await runTests(mocha);
  const cost = endMeasuring();
  uncaught.listen();
  const isEmpty = loadError === undefined && mocha.suite.total() === 0;
  const end = { cost, isEmpty, leftovers: await findLeftovers(), memory: process.memoryUsage.rss() };
  uncaught.ignore();
  send({ type: 'fileEnd', ...end, uncaught: uncaught.errors, ...(loadError === undefined ? {} : { loadError }) });
};

watchTimers();
// As mocha's command does; its interface alone ignores them.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
const timeoutMs = Number(process.argv[2]);
process.on('message', (job: FileJob) => void runFile(job, timeoutMs));
// The runner was killed: this process leads the group of those that it started.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
