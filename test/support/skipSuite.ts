// A suite of its own command that this machine can't run.

/** What a skipped suite tells the process that started it. */
export interface Skipped {
  readonly skipped: string;
}

/** Says that a command's suite is skipped, and why: to people, and to `npm run test:all`. */
export const skipSuite = (command: string, why: string): void => {
  console.log(`${command} skipped: ${why}`);
  process.send?.({ skipped: why } satisfies Skipped);
};
