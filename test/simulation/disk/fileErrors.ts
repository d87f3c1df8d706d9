// Errors of a simulated disk, as Node and as LevelDB report them.
import { constants } from 'node:os';
import { getSystemErrorMessage } from 'node:util';

/** Codes that a simulated disk reports. */
export type ErrorCode =
  | 'EBADF'
  | 'EEXIST'
  | 'EINVAL'
  | 'EIO'
  | 'EISDIR'
  | 'ENOENT'
  | 'ENOSPC'
  | 'ENOTDIR'
  | 'ENOTEMPTY'
  | 'EPERM';

/** The error of a system call, as Node creates it. */
export const createSystemError = (
  code: ErrorCode,
  syscall: string,
  path?: string,
  dest?: string,
): NodeJS.ErrnoException => {
  const errno = -constants.errno[code];
  const from = path === undefined ? '' : ` '${path}'`;
  const to = dest === undefined ? '' : ` -> '${dest}'`;
  const error = new Error(`${code}: ${getSystemErrorMessage(errno)}, ${syscall}${from}${to}`);
  return Object.assign(error, { errno, code, syscall, ...(path && { path }), ...(dest && { dest }) });
};

/** The texts of the C library, which LevelDB uses. */
const C_TEXTS: Partial<Record<string, string>> = {
  EIO: 'Input/output error',
  EISDIR: 'Is a directory',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
};

/** The text of LevelDB's status after a failed system call. */
export const toLevelText = (error: unknown, path: string): string => {
  const { code = '' } = error as NodeJS.ErrnoException;
  const text = C_TEXTS[code];
  if (text === undefined) throw error;
  return `IO error: ${path}: ${text}`;
};
