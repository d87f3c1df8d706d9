// Files and directories of a simulated disk, as the operating system has them, and which bytes of a file are synced.

/** Bytes of a page, in which the operating system writes files to the disk. */
export const PAGE_BYTES = 4_096;

/** A range of bytes: at least `from`, less than `to`. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** A file. It only grows at its end, or is emptied. */
export interface FileNode {
  readonly kind: 'file';
  /** The contents are the first `length` bytes. */
  bytes: Buffer;
  length: number;
  /** Whether a clone of the disk has the same buffer. */
  isShared: boolean;
  /** Bytes up to here are synced, except those of `doubtful`. */
  syncedLength: number;
  /** Bytes whose sync failed: the operating system doesn't write them again. */
  doubtful: ByteRange[];
  /** The synced contents before the file was emptied, until it is synced again. */
  emptied: Buffer | undefined;
  /** Number of names. */
  links: number;
  /** Number of open handles. */
  handles: number;
  mode: number;
}

/** A directory and its entries. */
export interface DirectoryNode {
  readonly kind: 'directory';
  readonly entries: Map<string, Inode>;
  mode: number;
}

/** What a name in a directory refers to. */
export type Inode = FileNode | DirectoryNode;

/** A new, empty file. */
export const createFileNode = (mode: number): FileNode => ({
  kind: 'file',
  bytes: Buffer.alloc(0),
  length: 0,
  isShared: false,
  syncedLength: 0,
  doubtful: [],
  emptied: undefined,
  links: 0,
  handles: 0,
  mode,
});

/** A new, empty directory. */
export const createDirectoryNode = (mode: number): DirectoryNode => ({ kind: 'directory', entries: new Map(), mode });

/** The bytes that a file occupies on the disk: complete pages. */
export const toAllocatedBytes = (length: number): number => Math.ceil(length / PAGE_BYTES) * PAGE_BYTES;

const CAPACITY_MIN_BYTES = 512;
const GROWTH = 1.5;

const reserve = (file: FileNode, length: number): void => {
  if (!file.isShared && length <= file.bytes.length) return;
  // Nothing reads behind the end of a file.
  const bytes = Buffer.allocUnsafeSlow(Math.max(CAPACITY_MIN_BYTES, Math.ceil(GROWTH * length)));
  file.bytes.copy(bytes, 0, 0, file.length);
  file.bytes = bytes;
  file.isShared = false;
};

/** Adds bytes at the end of a file. */
export const appendBytes = (file: FileNode, added: Uint8Array): void => {
  reserve(file, file.length + added.length);
  file.bytes.set(added, file.length);
  file.length += added.length;
};

/** Empties a file. Until it is synced, a power failure may restore its contents. */
export const emptyFile = (file: FileNode): void => {
  if (file.length === 0) return;
  file.emptied ??= file.bytes.subarray(0, file.syncedLength);
  file.bytes = Buffer.alloc(0);
  file.length = 0;
  file.isShared = false;
  file.syncedLength = 0;
  file.doubtful = [];
};

/** Makes the contents of a file durable, except bytes whose earlier sync failed. */
export const syncFile = (file: FileNode): void => {
  file.syncedLength = file.length;
  file.emptied = undefined;
};

/** Marks the unsynced bytes as not written, whatever later syncs report: as Linux does after an I/O error. */
export const failSync = (file: FileNode): void => {
  if (file.syncedLength < file.length) file.doubtful.push({ from: file.syncedLength, to: file.length });
  file.syncedLength = file.length;
};

/** The bytes that a power failure may damage. */
export const unsyncedRanges = (file: FileNode): ByteRange[] =>
  file.syncedLength < file.length ? [...file.doubtful, { from: file.syncedLength, to: file.length }] : file.doubtful;

/** The contents of a file. Valid until the next power failure; the bytes don't change. */
export const readBytes = (file: FileNode): Buffer => file.bytes.subarray(0, file.length);

const cloneFile = (file: FileNode): FileNode => {
  file.isShared = true;
  return { ...file, syncedLength: file.length, doubtful: [], emptied: undefined, handles: 0 };
};

/**
 * A copy of a tree, as if everything in it were synced and no file were open. Contents are shared until one of the two
 * changes.
 */
export const cloneTree = (directory: DirectoryNode, known = new Map<FileNode, FileNode>()): DirectoryNode => {
  const clone = createDirectoryNode(directory.mode);
  for (const [name, node] of directory.entries) {
    if (node.kind === 'directory') {
      clone.entries.set(name, cloneTree(node, known));
      continue;
    }
    const file = known.get(node) ?? cloneFile(node);
    known.set(node, file);
    clone.entries.set(name, file);
  }
  return clone;
};

/** All files of a tree; a file with several names once. */
export const filesOf = (directory: DirectoryNode, found = new Set<FileNode>()): Set<FileNode> => {
  for (const node of directory.entries.values()) {
    if (node.kind === 'file') found.add(node);
    else filesOf(node, found);
  }
  return found;
};
