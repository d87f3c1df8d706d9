// What a server prints when it answers: its address for programs, and links for people.
import { toVisibleText } from '../../ledger/encoding/visible.ts';
import { toCommand } from './shellCommand.ts';

/** Where the messages are printed: a stream such as standard output. */
export interface MessageOutput {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** What is printed about a server. */
export interface StartedServer {
  readonly url: string;
  readonly dataDir: string;
  /** Whether it has pages for browsers. */
  readonly hasPages: boolean;
  /** A link that signs in once; undefined: there is none. */
  readonly signInLink: string | undefined;
}

const toPageLine = ({ url, dataDir, hasPages }: StartedServer): string =>
  hasPages ? `  explorer        ${url}/   (sign in with the output of   ${toCommand(dataDir, 'token')} )\n` : '';

// Last, so that a person finds it.
const toLinkLines = ({ signInLink }: StartedServer): string =>
  signInLink === undefined
    ? ''
    : `This link signs you in to the explorer, once, in the next 5 minutes:\n\n  ${signInLink}\n\n`;

/** Prints the line `listening on URL`, and on a terminal the links and the command of the demo. */
export const printStart = (server: StartedServer, output: MessageOutput = process.stdout): void => {
  const { url, dataDir } = server;
  const print = (text: string): unknown => output.write(toVisibleText(text));
  print(`listening on ${url}\n`);
  if (!output.isTTY) return;
  print(`
${toPageLine(server)}  documentation   ${url}/docs
  base URL        ${url}/archivist   (or /svc, the same API)
  demo            ${toCommand(dataDir, 'demo')}   (in a second terminal)
  stop            Ctrl-C

${toLinkLines(server)}`);
};
