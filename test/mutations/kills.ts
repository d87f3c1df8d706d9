// Which tests killed which mutants in earlier runs. It stays so until something changes that such a test loads.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

/** How a test killed a mutant. */
export interface Kill {
  readonly verdict: 'killed' | 'timeout';
  readonly detail: string;
}

export interface Kills {
  read(mutant: Mutant, text: string, test: string): Kill | undefined;
  write(mutant: Mutant, text: string, test: string, kill: Kill): void;
}

/**
 * Kills in a directory.
 * @param digestOf a text that changes with what a file of tests loads
 */
export const createKills = (directory: string, digestOf: (test: string) => string): Kills => {
  mkdirSync(directory, { recursive: true });
  const toPath = ({ file, start, end, replacement }: Mutant, text: string, test: string): string => {
    const parts = JSON.stringify([digestOf(test), file, text, start, end, replacement]);
    return join(directory, `${createHash('sha256').update(parts).digest('hex')}.kill.json`);
  };
  return {
    read: (...key) => {
      try {
        return JSON.parse(readFileSync(toPath(...key), 'utf8'));
      } catch (error) {
        if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    write: (mutant, text, test, kill) => writeFileSync(toPath(mutant, text, test), JSON.stringify(kill)),
  };
};
