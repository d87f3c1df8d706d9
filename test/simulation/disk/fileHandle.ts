// An open file or directory of a simulated disk, as `open` of `node:fs/promises` returns it.
import { perform } from '../world/processes.ts';
import type { Disk } from './disk.ts';
import { createSystemError } from './fileErrors.ts';
import { type SimulatedStats, toStats } from './fileStats.ts';
import { type FileNode, type Inode, readBytes } from './inodes.ts';

/** Bytes, or text in UTF-8. */
export type FileData = string | Uint8Array;

/** What the project uses of an open file. */
export interface SimulatedHandle extends AsyncDisposable {
  writeFile(data: FileData): Promise<void>;
  write(data: FileData): Promise<{ bytesWritten: number }>;
  /** Reads into a buffer, from a position in the file, or after the last read. */
  read(buffer: Buffer, offset?: number, length?: number, position?: number | null): Promise<ReadResult>;
  readFile(options?: BufferEncoding | { encoding?: BufferEncoding | null }): Promise<string | Buffer>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  stat(): Promise<SimulatedStats>;
  chmod(mode: number): Promise<void>;
  close(): Promise<void>;
}

interface ReadResult {
  readonly bytesRead: number;
  readonly buffer: Buffer;
}

/** Duration of an operation without a sync, and of a sync, in milliseconds. */
export const OPERATION_MS: readonly [number, number] = [0, 1];
const SYNC_MS: readonly [number, number] = [0, 4];

/** Contents as Node returns them: a copy, or text. */
export const toContents = (
  bytes: Buffer,
  options?: BufferEncoding | { encoding?: BufferEncoding | null } | null,
): string | Buffer => {
  const encoding = typeof options === 'string' ? options : options?.encoding;
  return encoding ? bytes.toString(encoding) : Buffer.from(bytes);
};

/** The bytes of what is written. */
export const toFileBytes = (data: FileData): Uint8Array => (typeof data === 'string' ? Buffer.from(data) : data);

const requireFile = (node: Inode): FileNode => {
  if (node.kind === 'directory') throw createSystemError('EISDIR', 'read');
  return node;
};

/** A handle of an inode that `Disk.open` returned. */
export const createFileHandle = (disk: Disk, path: string, node: Inode, isWritable: boolean): SimulatedHandle => {
  let isOpen = true;
  let readAt = 0;
  const run = <T>(what: string, changes: boolean, effect: () => T, delayMs = OPERATION_MS): Promise<T> =>
    perform({
      what: () => `${what} ${path}`,
      delayMs,
      changes,
      effect: () => {
        if (!isOpen) throw createSystemError('EBADF', what);
        return effect();
      },
    });
  const append = (data: FileData): Promise<number> =>
    run('write', true, () => {
      if (!isWritable) throw createSystemError('EBADF', 'write');
      const bytes = toFileBytes(data);
      disk.append(requireFile(node), bytes);
      return bytes.length;
    });
  const sync = () => run('sync', true, () => disk.sync(node), SYNC_MS);
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    await run('close', false, () => {
      isOpen = false;
      disk.close(node);
    });
  };
  return {
    writeFile: async (data) => {
      await append(data);
    },
    write: async (data) => ({ bytesWritten: await append(data) }),
    read: (buffer, offset = 0, length = buffer.length - offset, position = null) =>
      run('read', false, () => {
        const from = position ?? readAt;
        const bytesRead = readBytes(requireFile(node)).copy(buffer, offset, from, from + length);
        if (position === null) readAt += bytesRead;
        return { bytesRead, buffer };
      }),
    readFile: (options) => run('read', false, () => toContents(readBytes(requireFile(node)), options)),
    sync,
    datasync: sync,
    stat: () => run('stat', false, () => toStats(node)),
    chmod: (mode) =>
      run('change the mode of', true, () => {
        node.mode = mode;
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
};
