// What every program of scripts/ does first. Nothing outside of its own settings ends it or opens it: not the reader of
// its output, not a signal that Node has a meaning for; and an error that nothing caught ends it in order.
import { countOtherListeners } from '../../chain/temporaryDirectory.ts';
import { reportLine } from '../watching/reports.ts';
import { findOpeningOptions } from './processOptions.ts';
import { endBySignal, STOP_SIGNALS } from './stopSignals.ts';
import { endOnUncaught } from './uncaughtErrors.ts';

/** Node opens a debugger without a password on SIGUSR1; SIGUSR2 ends a process. Tools that rotate logs send both. */
const WITHOUT_MEANING = ['SIGUSR1', 'SIGUSR2'] as const;

// Who reads the output may end, and a disk may be full: what can't be written then is dropped. The streams try again
// with the next line.
const keepOutputs = (): void => {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
};

/** How long the end of a process waits for a reader that takes nothing. */
const UNREAD_MS_MAX = 2_000;

/** Ends this process, which has closed everything, although lines of its output still wait for their reader. */
export const endUnread = (): void => {
  setTimeout(() => process.exit(), UNREAD_MS_MAX).unref();
};

// Node itself listens to a signal that an option gives a meaning.
const ignoreSignals = (): void => {
  for (const signal of WITHOUT_MEANING)
    if (process.listenerCount(signal) === 0) process.on(signal, () => reportLine(`${signal} has no effect`));
};

// The kernel ends the first process of a container by no signal that it doesn't listen to.
const endAsFirstProcess = (): void => {
  if (process.pid !== 1) return;
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => {
      if (countOtherListeners(signal) === 1) endBySignal(signal);
    });
};

/** Guards this process until its end. */
export const guardProcess = (): void => {
  keepOutputs();
  endOnUncaught();
  ignoreSignals();
  endAsFirstProcess();
  for (const line of findOpeningOptions(process.execArgv, process.env.NODE_OPTIONS)) reportLine(line);
};

/** Runs a command as the program of this process, with the arguments that follow its name. */
export const runMain = async (command: (args: readonly string[]) => Promise<void>): Promise<void> => {
  guardProcess();
  await command(process.argv.slice(2));
};
