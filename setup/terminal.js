// What set-up writes: to standard error, because standard output belongs to the command that follows (a token, a
// listing).
const TICK_MS = 1000;
/** What npm quotes of others may have control characters; set-up runs before the packages and types are there. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

// Set-up goes on when nobody reads what it writes.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

/** Clears the line of a step that is running, on a terminal. */
const clearLine = () => (process.stderr.isTTY ? '\r\x1b[K' : '');

/**
 * Prints a message. Each of its lines begins with `set-up:`, because other programs write to the same terminal.
 * @param {string} message
 */
export const print = (message) =>
  process.stderr.write(`${clearLine()}${message.trimEnd().replaceAll(UNSEEN, '?').replaceAll(/^/gm, 'set-up: ')}\n`);

/** @param {number} startedMs */
const toSeconds = (startedMs) => (Date.now() - startedMs) / 1000;

/**
 * Shows that a step is running: the elapsed seconds on a terminal, one line at its start elsewhere. The returned
 * function ends it, with its outcome.
 * @param {string} title
 * @returns {(outcome: string) => void}
 */
export const showProgress = (title) => {
  const startedMs = Date.now();
  const { isTTY } = process.stderr;
  const show = () => process.stderr.write(`${clearLine()}set-up: ${title} ... ${toSeconds(startedMs).toFixed(0)} s`);
  if (isTTY) show();
  else print(`${title} ...`);
  const timer = isTTY ? setInterval(show, TICK_MS).unref() : undefined;
  return (outcome) => {
    clearInterval(timer);
    process.stderr.write(`${clearLine()}set-up: ${title}: ${outcome} after ${toSeconds(startedMs).toFixed(1)} s\n`);
  };
};
