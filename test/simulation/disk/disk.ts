// The simulated disk of one machine: a tree of files and directories in memory. Written and synced data are apart: a
// power failure loses unsynced data (powerFailure.ts, entryChanges.ts).
import type { KillKind, SimulatedProcess } from '../world/processes.ts';
import type { Random } from '../world/random.ts';
import { theWorld } from '../world/world.ts';
import { DIRECTORY_MODE, DirectoryTree, splitPath } from './directoryTree.ts';
import { createSystemError } from './fileErrors.ts';
import {
  appendBytes,
  cloneTree,
  createDirectoryNode,
  createFileNode,
  type DirectoryNode,
  emptyFile,
  type FileNode,
  failSync,
  filesOf,
  type Inode,
  PAGE_BYTES,
  readBytes,
  syncFile,
  toAllocatedBytes,
} from './inodes.ts';
import { loseUnsynced } from './powerFailure.ts';

/** Failures of a disk that last until they are changed. */
export interface DiskFailures {
  /** Share of the writes that fail with EIO, after any part of their bytes: from 0 to 1. */
  writes: number;
  /** How many writes fail at most. */
  writesMax: number;
  /** Whether syncs fail with EIO. */
  syncs: boolean;
  /** The directory whose files fail, and itself; undefined: the disk fails everywhere. */
  directory: string | undefined;
}

/** Nothing fails. */
export const NO_FAILURES: DiskFailures = {
  writes: 0,
  writesMax: Number.POSITIVE_INFINITY,
  syncs: false,
  directory: undefined,
};

const DEFAULT_CAPACITY_BYTES = 2 ** 32;
const FILE_MODE = 0o644;

const randomOfErrors = (): Random => theWorld().stream('disk errors');

/**
 * A simulated disk. All functions take paths below `/simulated/<machine>/`, and throw errors as
 * Node's `fs` does.
 */
export class Disk extends DirectoryTree {
  /** The failures of now. */
  readonly failures: DiskFailures = { ...NO_FAILURES };
  /** Locked files and the processes that locked them; undefined: code outside of simulated processes. */
  readonly locks = new Map<string, SimulatedProcess | undefined>();
  /**
   * Whether a sync of a file or directory makes all earlier changes of names durable, as the journals of ext4 and XFS
   * do. Otherwise only a sync of a directory does, for its own names: POSIX promises no more.
   */
  isJournaled = true;
  /** Rises at each power failure, which ends all handles. */
  powerFailures = 0;
  #usedBytes: number;
  #capacityBytes: number;

  /** An empty disk, or one with this tree, all of which is synced. */
  constructor(root = createDirectoryNode(DIRECTORY_MODE), capacityBytes = DEFAULT_CAPACITY_BYTES) {
    super(root, (file) => this.#freeUnused(file));
    this.#capacityBytes = capacityBytes;
    this.#usedBytes = this.#countUsedBytes();
  }

  #countUsedBytes(): number {
    let bytes = 0;
    for (const { length } of filesOf(this.root)) bytes += toAllocatedBytes(length);
    return bytes;
  }

  #freeUnused(file: FileNode): void {
    if (file.links === 0 && file.handles === 0) this.#usedBytes -= toAllocatedBytes(file.length);
  }

  /** The free space in bytes. */
  get freeBytes(): number {
    return Math.max(0, this.#capacityBytes - this.#usedBytes);
  }

  /** The size of the disk in bytes. */
  get capacityBytes(): number {
    return this.#capacityBytes;
  }

  /** Changes the disk's size so that so many bytes are free: as when others fill it, or remove files. */
  setFreeBytes(bytes: number): void {
    this.#capacityBytes = this.#usedBytes + bytes;
  }

  /** The contents of a file. They must not be changed. */
  readFile(path: string): Buffer {
    const node = this.require(path, 'open');
    if (node.kind === 'directory') throw createSystemError('EISDIR', 'read', path);
    return readBytes(node);
  }

  /**
   * Opens a file or a directory as `open` does with the flags `r`, `w`, `a`, `wx` or `ax`; a missing file is created
   * unless the flag is `r`. Ends with `close`.
   */
  open(path: string, flags: string, mode = FILE_MODE): Inode {
    if (!/^(?:r|[wa]x?)$/.test(flags)) throw new TypeError(`the simulated disk has no flags '${flags}'`);
    const found = this.findNode(splitPath(path), 'open', path);
    if (found !== undefined && flags.endsWith('x')) throw createSystemError('EEXIST', 'open', path);
    if (found?.kind === 'directory' && flags !== 'r') throw createSystemError('EISDIR', 'open', path);
    if (found === undefined && flags === 'r') throw createSystemError('ENOENT', 'open', path);
    const node = found ?? this.#create(path, mode);
    if (node.kind === 'directory') return node;
    if (flags.startsWith('w')) this.#empty(node);
    node.handles += 1;
    return node;
  }

  #create(path: string, mode: number): FileNode {
    const place = this.placeOf(path, 'open');
    if (this.freeBytes === 0) throw createSystemError('ENOSPC', 'open', path);
    const file = createFileNode(mode);
    this.setNode(place, file);
    return file;
  }

  #empty(file: FileNode): void {
    this.#usedBytes -= toAllocatedBytes(file.length);
    emptyFile(file);
  }

  /** Ends a handle that `open` returned. */
  close(node: Inode): void {
    if (node.kind === 'directory' || node.handles === 0) return;
    node.handles -= 1;
    this.#freeUnused(node);
  }

  /**
   * Adds bytes at the end of an open file: in the operating system, not yet on the disk.
   * @throws ENOSPC when the disk gets full, after as many bytes as there was space for; EIO.
   */
  append(file: FileNode, bytes: Uint8Array): void {
    const fails = this.#failsToWrite(file);
    this.#appendWithin(file, fails ? bytes.subarray(0, randomOfErrors().integer(0, bytes.length)) : bytes);
    if (fails) throw createSystemError('EIO', 'write');
  }

  #failsToWrite(file: FileNode): boolean {
    const { failures } = this;
    if (failures.writes === 0 || failures.writesMax === 0 || !this.#isFailing(file)) return false;
    const fails = randomOfErrors().chance(failures.writes);
    if (fails) failures.writesMax -= 1;
    return fails;
  }

  #isFailing(node: Inode): boolean {
    if (this.failures.directory === undefined) return true;
    const directory = this.find(this.failures.directory);
    return directory === node || (directory?.kind === 'directory' && [...directory.entries.values()].includes(node));
  }

  #appendWithin(file: FileNode, bytes: Uint8Array): void {
    const allocated = toAllocatedBytes(file.length);
    const free = allocated - file.length + Math.floor(this.freeBytes / PAGE_BYTES) * PAGE_BYTES;
    appendBytes(file, bytes.length <= free ? bytes : bytes.subarray(0, free));
    this.#usedBytes += toAllocatedBytes(file.length) - allocated;
    if (bytes.length > free) throw createSystemError('ENOSPC', 'write');
  }

  /** Makes the contents of a file durable, or the entries of a directory. @throws EIO */
  sync(node: Inode): void {
    if (this.failures.syncs && this.#isFailing(node)) {
      if (node.kind === 'file') failSync(node);
      throw createSystemError('EIO', 'fsync');
    }
    if (node.kind === 'file') syncFile(node);
    if (this.isJournaled) this.changes.syncAll();
    else if (node.kind === 'directory') this.changes.sync(node);
  }

  /** The end of the machine's processes. SIGKILL keeps what was written; a power failure loses unsynced data. */
  crash(kind: KillKind, random: Random): void {
    if (kind === 'power failure') this.#losePower(random);
    for (const file of filesOf(this.root)) file.handles = 0;
    this.#usedBytes = this.#countUsedBytes();
  }

  #losePower(random: Random): void {
    this.powerFailures += 1;
    this.locks.clear();
    this.changes.loseSome(random);
    for (const file of filesOf(this.root)) loseUnsynced(file, random);
    this.#countNames();
  }

  #countNames(): void {
    for (const file of filesOf(this.root)) file.links = 0;
    const count = (directory: DirectoryNode): void => {
      for (const node of directory.entries.values()) {
        if (node.kind === 'file') node.links += 1;
        else count(node);
      }
    };
    count(this.root);
  }

  /** Makes everything durable. */
  syncAll(): void {
    this.changes.syncAll();
    for (const file of filesOf(this.root)) syncFile(file);
  }

  /** A copy, as if everything were synced and nothing open. Costs little: contents are shared until they change. */
  clone(): Disk {
    const clone = new Disk(cloneTree(this.root), this.#capacityBytes);
    clone.isJournaled = this.isJournaled;
    return clone;
  }
}
