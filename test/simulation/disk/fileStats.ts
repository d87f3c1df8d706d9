// What `stat` and `statfs` return for a simulated disk: the parts that the project reads.
import type { Disk } from './disk.ts';
import { type Inode, PAGE_BYTES, toAllocatedBytes } from './inodes.ts';

const FILE_TYPE = 0o100_000;
const DIRECTORY_TYPE = 0o040_000;

/** The state of a file or directory. */
export interface SimulatedStats {
  readonly mode: number;
  /** Bytes. */
  readonly size: number;
  readonly nlink: number;
  readonly blocks: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

const BLOCK_BYTES = 512;

/** The state of an inode. */
export const toStats = (node: Inode): SimulatedStats => {
  const isFile = node.kind === 'file';
  const size = isFile ? node.length : PAGE_BYTES;
  return {
    mode: (isFile ? FILE_TYPE : DIRECTORY_TYPE) | node.mode,
    size,
    nlink: isFile ? node.links : 2,
    blocks: toAllocatedBytes(size) / BLOCK_BYTES,
    isFile: () => isFile,
    isDirectory: () => !isFile,
    isSymbolicLink: () => false,
  };
};

/** The space of a disk, in pages. */
export const toSpace = ({ freeBytes, capacityBytes }: Disk) => {
  const free = Math.floor(freeBytes / PAGE_BYTES);
  return { bsize: PAGE_BYTES, blocks: Math.floor(capacityBytes / PAGE_BYTES), bfree: free, bavail: free };
};
