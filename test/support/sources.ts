// The repository's root, and its files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, as an absolute path. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a file, by its path from the root. */
export const readSource = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
