// The files of a repository, also where git cannot list them: in a downloaded archive, or without git.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** `tracked`: those that git tracks. `present`: also new ones that git does not ignore. */
export type FileKind = 'tracked' | 'present';

const OPTIONS: Record<FileKind, readonly string[]> = {
  tracked: ['--cached'],
  present: ['--cached', '--others', '--exclude-standard'],
};

// Undefined in an archive, even one that lies in another repository; without git; and where git refuses another user's
// directory.
const listByGit = (root: string, kind: FileKind): string[] | undefined => {
  if (!existsSync(join(root, '.git'))) return undefined;
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', ...OPTIONS[kind]], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  return status === 0 ? stdout.split('\0').slice(0, -1) : undefined;
};

/** Whether .gitignore, whose lines are folders, names a folder. */
const readIgnored = (root: string): ((folder: string) => boolean) => {
  const patterns = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean);
  const globs = patterns.map((pattern) => (/.\/./.test(pattern) ? pattern : `**/${pattern}`).replace(/\/$/, ''));
  return (folder) => globs.some((glob) => matchesGlob(folder, glob));
};

const walk = (root: string, folder: string, isIgnored: (folder: string) => boolean): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return entry.name === '.git' || isIgnored(path) ? [] : walk(root, path, isIgnored);
  });

/** The files of a repository, as paths from its root. Where git cannot list them, all that .gitignore does not name. */
export const listRepositoryFiles = (root: string, kind: FileKind): string[] =>
  listByGit(root, kind) ?? walk(root, '', readIgnored(root));
