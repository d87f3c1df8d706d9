// The options by which commands get a token, or another secret.
import { text } from 'node:stream/consumers';
import { Option } from 'commander';
import { console, thisProcess } from '../commandProcess.ts';
import { readPrivateText, trimText } from '../files/privateFile.ts';

/** A token as a command gets it, one way at most. */
export interface TokenOptions {
  /** In the arguments, which every user of the machine can read. */
  readonly token?: string;
  /** Path of a file that only its owner reads; `-`: standard input. */
  readonly tokenFile?: string;
}

const VISIBLE = /^[\x21-\x7e]+$/;
const IN_ARGUMENTS =
  'warning: every user of this machine can read --token in the list of processes; give the token with --token-file, or on standard input with --token-file -';

/** Flags and description of the option that names the file of a token. */
export const toTokenFileOption = (description: string) =>
  ['--token-file <file>', `file with the ${description}; - for standard input`] as const;

/** The option for a token in the arguments, as earlier versions take it. */
export const createTokenOption = (): Option =>
  new Option('--token <token>', 'deprecated: every user of this machine can read it; use --token-file').conflicts(
    'tokenFile',
  );

const readStandardInput = async (): Promise<string> => {
  const { stdin } = thisProcess();
  return stdin === undefined ? '' : trimText(await text(stdin));
};

/**
 * The secret in the file that an option names, `-` for standard input: one text without blanks.
 * @throws Error when it can't be read, is open to others, or has anything else. No message has the secret.
 */
export const readSecretOption = async (option: string, path: string): Promise<string> => {
  const given = await (path === '-' ? readStandardInput() : readPrivateText(path)).catch((cause: Error) => {
    throw new Error(`${option} ${path} can't be used: ${cause.message}`, { cause });
  });
  if (!VISIBLE.test(given)) throw new Error(`${option} ${path} can't be used: it has no single text without blanks`);
  return given;
};

/** The token that a command was given; undefined without one. @throws Error as `readSecretOption` does. */
export const readGivenToken = async ({ token, tokenFile }: TokenOptions): Promise<string | undefined> => {
  if (token !== undefined) console.error(IN_ARGUMENTS);
  return tokenFile === undefined ? token : readSecretOption('--token-file', tokenFile);
};
