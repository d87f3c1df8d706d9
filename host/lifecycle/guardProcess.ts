// What every program of scripts/ does first. The reader of its output doesn't end it, and an error that nothing caught
// ends it in order.
import { endOnUncaught } from './uncaughtErrors.ts';

// Who reads the output may end, and a disk may be full: what can't be written then is dropped. The streams try again
// with the next line.
const keepOutputs = (): void => {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
};

/** Guards this process until its end. */
export const guardProcess = (): void => {
  keepOutputs();
  endOnUncaught();
};

/** Runs a command as the program of this process, with the arguments that follow its name. */
export const runMain = async (command: (args: readonly string[]) => Promise<void>): Promise<void> => {
  guardProcess();
  await command(process.argv.slice(2));
};
