// What a run prints is not lost with the standard output, which may be a log on a full disk, or a reader that has gone.

const { stdout, stderr } = process;
// The callback of a write gets the same error; without a listener it would end the process.
for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
let isReported = false;

/** Writes to the standard output, or to the standard error what that can't take. */
export const write = (text: string): void => {
  stdout.write(text, (error) => {
    if (!error) return;
    if (!isReported)
      stderr.write(
        `\nThe standard output takes no more (${error.message}): it continues here. Free its disk, or name another file.\n`,
      );
    isReported = true;
    stderr.write(text);
  });
};

/** Writes lines. */
export const print = (lines: string): void => write(`${lines}\n`);
