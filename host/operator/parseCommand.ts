// How every command begins: its arguments and its help.
import { type Command, CommanderError } from 'commander';
import { console, thisProcess } from '../commandProcess.ts';

const UNUSABLE = 1;

const toLines = (text: string): string[] => text.replace(/\n$/, '').split('\n');

/**
 * Runs a command with the arguments that follow its name. The exit code is set; it is `unusableCode` when the command
 * can't be run with these arguments, which standard error says then.
 */
export const parseCommand = async (
  command: Command,
  args: readonly string[],
  unusableCode = UNUSABLE,
): Promise<void> => {
  const own = thisProcess();
  for (const one of [command, ...command.commands])
    one.exitOverride().configureOutput({
      writeOut: (text) => console.log(...toLines(text)),
      writeErr: (text) => console.error(...toLines(text)),
    });
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    own.exitCode = error.exitCode === 0 ? 0 : unusableCode;
  }
};
