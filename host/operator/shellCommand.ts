// The commands that messages suggest, as an operator types them in a shell.
import { resolve } from 'node:path';
import { thisProcess } from '../commandProcess.ts';
import { SETTINGS } from '../settings/settings.ts';

/** A script of scripts/, without its extension, that an npm command has the name of. */
export type SuggestedScript = 'demo' | 'token';

// The output of the token command is the token alone.
const NPM_COMMANDS: Record<SuggestedScript, string> = { demo: 'npm run demo', token: 'npm run --silent token' };

/** A text as one word of a POSIX shell. */
export const toShellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * The command that runs a script on a data directory, for a POSIX shell in the repository. It uses npm if this process
 * was started by npm: a container has no npm command. `options` are the script's, already quoted.
 */
export const toCommand = (dataDir: string, script: SuggestedScript, options: readonly string[] = []): string => {
  const isNpm = thisProcess().env.npm_lifecycle_event !== undefined;
  const command = isNpm
    ? [NPM_COMMANDS[script], ...(options.length === 0 ? [] : ['--', ...options])]
    : [`node scripts/${script}.ts`, ...options];
  if (dataDir === resolve(SETTINGS.dataDir.fallback ?? '')) return command.join(' ');
  // With env, because the command may be an argument of `docker exec`, which has no shell.
  return [isNpm ? '' : 'env ', `DATA_DIR=${toShellWord(dataDir)} `, command.join(' ')].join('');
};
