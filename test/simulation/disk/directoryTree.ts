// The names on a simulated disk: a tree of directories. Changes of it are durable only after a sync.
import { createEntryChanges, type EntryChange } from './entryChanges.ts';
import { createSystemError } from './fileErrors.ts';
import { createDirectoryNode, type DirectoryNode, type FileNode, type Inode } from './inodes.ts';

/** Where a path leads: its directory, the name in it, and what has that name. */
interface Place {
  readonly directory: DirectoryNode;
  readonly name: string;
  readonly node: Inode | undefined;
}

/** Mode of a directory that is created without one. */
export const DIRECTORY_MODE = 0o755;

// `simulated` and the name of the machine.
const ROOT_NAMES = 2;

const splitNames = (path: string): string[] => path.split('/').filter((name) => name !== '');
/** The names in a path, below the disk's root. */
export const splitPath = (path: string): string[] => splitNames(path).slice(ROOT_NAMES);

/** A tree of names. All functions throw errors as Node's `fs` does. */
export class DirectoryTree {
  /** The directory at `/simulated/<machine>`. */
  protected readonly root: DirectoryNode;
  /** The changes that are not durable yet. */
  protected readonly changes = createEntryChanges();
  readonly #onNameRemoved: (file: FileNode) => void;

  /** A tree that is durable. `onNameRemoved` is called when a file has one name less. */
  constructor(root: DirectoryNode, onNameRemoved: (file: FileNode) => void) {
    this.root = root;
    this.#onNameRemoved = onNameRemoved;
  }

  protected findNode(names: readonly string[], syscall: string, path: string): Inode | undefined {
    let node: Inode | undefined = this.root;
    for (const name of names) {
      if (node === undefined) return undefined;
      if (node.kind === 'file') throw createSystemError('ENOTDIR', syscall, path);
      node = node.entries.get(name);
    }
    return node;
  }

  protected placeOf(path: string, syscall: string, dest?: string): Place {
    const names = splitPath(dest ?? path);
    const name = names.pop();
    if (name === undefined) throw createSystemError('EPERM', syscall, path, dest);
    const directory = this.findNode(names, syscall, path);
    if (directory === undefined) throw createSystemError('ENOENT', syscall, path, dest);
    if (directory.kind === 'file') throw createSystemError('ENOTDIR', syscall, path, dest);
    return { directory, name, node: directory.entries.get(name) };
  }

  #change(changes: readonly EntryChange[]): void {
    for (const { directory, name, before, after } of changes) {
      if (after === undefined) directory.entries.delete(name);
      else directory.entries.set(name, after);
      if (after?.kind === 'file') after.links += 1;
      if (before?.kind === 'file') {
        before.links -= 1;
        this.#onNameRemoved(before);
      }
    }
    this.changes.add(changes);
  }

  protected setNode({ directory, name, node: before }: Place, after: Inode | undefined): void {
    this.#change([{ directory, name, before, after }]);
  }

  /** What a path names; undefined when there is nothing. */
  find(path: string): Inode | undefined {
    try {
      return this.findNode(splitPath(path), 'access', path);
    } catch {
      return undefined;
    }
  }

  /** What a path names. @throws ENOENT */
  require(path: string, syscall = 'stat'): Inode {
    const node = this.findNode(splitPath(path), syscall, path);
    if (node === undefined) throw createSystemError('ENOENT', syscall, path);
    return node;
  }

  /** The names in a directory, sorted. */
  readDirectory(path: string): string[] {
    const node = this.require(path, 'scandir');
    if (node.kind === 'file') throw createSystemError('ENOTDIR', 'scandir', path);
    return [...node.entries.keys()].sort();
  }

  /** Creates a directory. @throws EEXIST */
  makeDirectory(path: string, mode = DIRECTORY_MODE): void {
    if (splitPath(path).length === 0) throw createSystemError('EEXIST', 'mkdir', path);
    const place = this.placeOf(path, 'mkdir');
    if (place.node !== undefined) throw createSystemError('EEXIST', 'mkdir', path);
    this.setNode(place, createDirectoryNode(mode));
  }

  /** Creates a directory and those above it, where they don't exist. Returns the first one that was created. */
  makeDirectories(path: string, mode = DIRECTORY_MODE): string | undefined {
    const names = splitPath(path);
    const missing = names.findIndex((_, at) => this.findNode(names.slice(0, at + 1), 'mkdir', path) === undefined);
    if (missing < 0) {
      if (this.require(path, 'mkdir').kind === 'file') throw createSystemError('EEXIST', 'mkdir', path);
      return undefined;
    }
    const all = splitNames(path);
    const toPath = (count: number): string => `/${all.slice(0, ROOT_NAMES + count).join('/')}`;
    for (let count = missing + 1; count <= names.length; count += 1) this.makeDirectory(toPath(count), mode);
    return toPath(missing + 1);
  }

  /** Renames a file or directory; replaces a file at the new path. */
  rename(from: string, to: string): void {
    const source = this.placeOf(from, 'rename');
    if (source.node === undefined) throw createSystemError('ENOENT', 'rename', from, to);
    const target = this.placeOf(from, 'rename', to);
    if (source.node === target.node) return;
    if (target.node?.kind === 'directory') {
      if (source.node.kind === 'file') throw createSystemError('EISDIR', 'rename', from, to);
      if (target.node.entries.size > 0) throw createSystemError('ENOTEMPTY', 'rename', from, to);
    } else if (target.node !== undefined && source.node.kind === 'directory') {
      throw createSystemError('ENOTDIR', 'rename', from, to);
    }
    this.#change([
      { directory: target.directory, name: target.name, before: target.node, after: source.node },
      { directory: source.directory, name: source.name, before: source.node, after: undefined },
    ]);
  }

  /** Gives a file another name. @throws EEXIST */
  link(from: string, to: string): void {
    const node = this.require(from, 'link');
    const target = this.placeOf(from, 'link', to);
    if (target.node !== undefined) throw createSystemError('EEXIST', 'link', from, to);
    if (node.kind === 'directory') throw createSystemError('EPERM', 'link', from, to);
    this.setNode(target, node);
  }

  /** Removes a name of a file. */
  unlink(path: string): void {
    const place = this.placeOf(path, 'unlink');
    if (place.node === undefined) throw createSystemError('ENOENT', 'unlink', path);
    if (place.node.kind === 'directory') throw createSystemError('EISDIR', 'unlink', path);
    this.setNode(place, undefined);
  }

  /** Removes an empty directory. */
  removeDirectory(path: string): void {
    const place = this.placeOf(path, 'rmdir');
    if (place.node === undefined) throw createSystemError('ENOENT', 'rmdir', path);
    if (place.node.kind === 'file') throw createSystemError('ENOTDIR', 'rmdir', path);
    if (place.node.entries.size > 0) throw createSystemError('ENOTEMPTY', 'rmdir', path);
    this.setNode(place, undefined);
  }
}
