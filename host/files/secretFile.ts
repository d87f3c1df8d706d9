// A file for a secret that is shown once: a new file that only its owner can read.
import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const PRIVATE_FILE = 0o600;

/** A new, empty file for a secret. Synchronous, so that it can be removed when the process ends. */
export interface SecretFile {
  /** Writes the secret. File and name are synced. */
  write(text: string): void;
  /** Removes the file, unless the secret is in it. */
  discard(): void;
}

const toRefusal = (path: string, reason: string, cause?: unknown): Error =>
  new Error(`the secret can't be written to ${path}: ${reason}`, { cause });

const EXISTS = 'it exists; choose another path, or remove it';

const openNew = (path: string): number => {
  try {
    return openSync(path, 'wx', PRIVATE_FILE);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw toRefusal(path, code === 'EEXIST' ? EXISTS : message, cause);
  }
};

const syncName = (path: string): void => {
  const directory = openSync(dirname(path), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
};

/**
 * Checks early that no file exists at the path; creates nothing.
 * @throws Error when one exists.
 */
export const assertNoSecretFile = (path: string): void => {
  if (existsSync(path)) throw toRefusal(path, EXISTS);
};

/**
 * Creates the file of a secret, with mode 0600.
 * @throws Error when something exists at the path, or when the file can't be created.
 */
export const createSecretFile = (path: string): SecretFile => {
  const descriptor = openNew(path);
  let isWaiting = true;
  return {
    write: (text) => {
      isWaiting = false;
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
      closeSync(descriptor);
      syncName(path);
    },
    discard: () => {
      if (!isWaiting) return;
      isWaiting = false;
      closeSync(descriptor);
      rmSync(path, { force: true });
    },
  };
};
