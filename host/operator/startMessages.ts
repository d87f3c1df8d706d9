// What a server prints when it answers: its address for programs, and links for people.
import { toCommand } from './shellCommand.ts';

/** Where the messages are printed: a stream such as standard output. */
export interface MessageOutput {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Prints the line `listening on URL`, and on a terminal the links and the command of the demo. */
export const printStart = (
  { url, dataDir }: { url: string; dataDir: string },
  output: MessageOutput = process.stdout,
): void => {
  output.write(`listening on ${url}\n`);
  if (!output.isTTY) return;
  output.write(`
  documentation   ${url}/docs
  base URL        ${url}/archivist   (or /svc, the same API)
  demo            ${toCommand(dataDir, 'demo')}   (in a second terminal)
  stop            Ctrl-C

`);
};
