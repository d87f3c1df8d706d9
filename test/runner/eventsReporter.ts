// A reporter of mocha that tells the runner each begin and end at once. The runner shows them.
import { relative } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { missing } from '../support/missing.ts';
import { ROOT } from '../support/sources.ts';
import { type Ended, send } from './events.ts';

const { constants } = Mocha.Runner;

const toTitle = (runnable: Mocha.Runnable): string => runnable.titlePath().join(' ');

/** The failure with its difference and stack, as mocha's own reporters print it. */
const render = (runnable: Mocha.Runnable, error: Error): string => {
  const lines: string[] = [];
  const write = Mocha.reporters.Base.consoleLog;
  Mocha.reporters.Base.consoleLog = (...values: unknown[]) => lines.push(format(...values));
  try {
    Mocha.reporters.Base.list([Object.assign(Object.create(runnable), { err: error })]);
  } finally {
    Mocha.reporters.Base.consoleLog = write;
  }
  return lines.join('\n').replace(/^\s*1\) /, '');
};

const toEnded = (runnable: Mocha.Runnable, state: Ended['state']): Ended => ({
  type: 'ended',
  state,
  title: toTitle(runnable),
  file: runnable.file && relative(ROOT, runnable.file),
  isTest: runnable instanceof Mocha.Test,
});

// Mocha marks an error that nothing caught.
const goesOn = (error: NodeJS.ErrnoException & { readonly uncaught?: boolean }): boolean =>
  error.code === 'ERR_MOCHA_TIMEOUT' || error.uncaught === true;

/** Calls `tell` when a test changes its own limit. */
const onNewLimit = (runnable: Mocha.Runnable, tell: () => void): void => {
  const { timeout } = runnable;
  runnable.timeout = ((...limit: [string | number]) => {
    const result = timeout.apply(runnable, limit);
    if (limit.length > 0) tell();
    return result;
  }) as typeof timeout;
};

/** Sends the events of a run. */
export class EventsReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner) {
    super(runner);
    const begin = (runnable: Mocha.Runnable): void => {
      const tell = (): void => send({ type: 'begin', title: toTitle(runnable), limitMs: runnable.timeout() });
      tell();
      onNewLimit(runnable, tell);
    };
    runner.on(constants.EVENT_TEST_BEGIN, begin);
    runner.on(constants.EVENT_HOOK_BEGIN, begin);
    runner.on(constants.EVENT_TEST_PASS, (test) => send(toEnded(test, 'passed')));
    runner.on(constants.EVENT_TEST_PENDING, (test) => send({ ...toEnded(test, 'skipped'), missing: [...missing] }));
    runner.on(constants.EVENT_TEST_FAIL, (test, error) =>
      send({ ...toEnded(test, 'failed'), text: render(test, error), goesOn: goesOn(error) }),
    );
  }
}
