// A process that runs one file of tests after another, each with a mocha of its own, and tells the runner what happens.
import { resolve } from 'node:path';
import Mocha from 'mocha';
import { mochaHooks } from '../support/hooks.ts';
import { type FileJob, send } from './events.ts';
import { EventsReporter } from './eventsReporter.ts';
import { startMeasuring } from './fileCost.ts';
import { watchLeftovers } from './leftovers.ts';

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

/** Runs the tests of a loaded file; an error of loading is returned. */
const run = async (mocha: Mocha): Promise<string | undefined> => {
  try {
    await mocha.loadFilesAsync();
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  await new Promise<void>((done) => mocha.run(() => done()));
  return undefined;
};

const runFile = async ({ file, grep }: FileJob, timeoutMs: number): Promise<void> => {
  const mocha = new Mocha({ timeout: timeoutMs, reporter: EventsReporter, forbidOnly: true, rootHooks: mochaHooks });
  if (grep !== undefined) mocha.fgrep(grep);
  mocha.addFile(resolve(file));
  const removeListeners = keepListeners();
  const endMeasuring = startMeasuring();
  const findLeftovers = watchLeftovers();
  const loadError = await run(mocha);
  const cost = endMeasuring();
  removeListeners();
  const end = { cost, leftovers: await findLeftovers(), memory: process.memoryUsage.rss() };
  send({ type: 'fileEnd', ...end, ...(loadError === undefined ? {} : { loadError }) });
};

const timeoutMs = Number(process.argv[2]);
process.on('message', (job: FileJob) => void runFile(job, timeoutMs));
// The runner was killed: this process leads the group of those that it started.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
