// One line that shows the progress of a long command: rewritten on a terminal, repeated every few seconds elsewhere.

/** The progress line of one command, whose output can follow it. */
export interface ProgressLine {
  /** Shows the text, unless another was shown a moment ago. */
  show(text: () => string): void;
  /** Removes the line, so that other text can follow. */
  clear(): void;
}

const TERMINAL_MS = 100;
const LOG_MS = 10_000;
const CLEAR_LINE = '\r\u001b[K';

/** A progress line on a stream. */
export const createProgressLine = (stream: NodeJS.WriteStream): ProgressLine => {
  let shownAtMs = performance.now();
  return {
    show: (text) => {
      const nowMs = performance.now();
      if (nowMs - shownAtMs < (stream.isTTY ? TERMINAL_MS : LOG_MS)) return;
      shownAtMs = nowMs;
      stream.write(stream.isTTY ? `${CLEAR_LINE}${text()}` : `${text()}\n`);
    },
    clear: () => {
      if (stream.isTTY) stream.write(CLEAR_LINE);
    },
  };
};
