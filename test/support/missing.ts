// Skips what this machine cannot check, and says why.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What this machine lacks for tests that were skipped in this process. */
export const missing = new Set<string>();

/**
 * Skips the tests of a hook's suite, or one test.
 * @param what what is missing and how to get it; the runner shows it once at the end, mocha alone at once
 */
export const skipWithout = (context: Mocha.Context, what: string): void => {
  if (!missing.has(what) && process.send === undefined) console.warn(`skipped: ${what}`);
  missing.add(what);
  context.skip();
};

/** The path of the first of these programs that the PATH has, undefined where it has none. */
export const findProgram = (...names: readonly string[]): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(existsSync);

/** Skips on a machine without one of these programs. */
export const skipWithoutPrograms = (context: Mocha.Context, ...names: readonly string[]): void => {
  const absent = names.find((name) => findProgram(name) === undefined);
  if (absent !== undefined) skipWithout(context, `${absent} is not on the PATH`);
};

/** Skips on a system that has no /proc with the figures of Linux. */
export const skipWithoutLinux = (context: Mocha.Context): void => {
  if (process.platform !== 'linux') skipWithout(context, 'what is measured on Linux only');
};
