// Changes of directories that are not durable yet. The changes of one directory become durable in their order, and a
// rename between two directories in both or in none, as file systems with a journal do it.
import type { Random } from '../world/random.ts';
import type { DirectoryNode, Inode } from './inodes.ts';

/** A name that refers to something else, or to nothing. */
export interface EntryChange {
  readonly directory: DirectoryNode;
  readonly name: string;
  readonly before: Inode | undefined;
  readonly after: Inode | undefined;
}

/** The changes of one system call, durable together. */
type Step = readonly EntryChange[];

/** The changes that are not durable yet, of one disk. */
export interface EntryChanges {
  /** Adds the changes of one system call. */
  add(step: Step): void;
  /** Makes the changes of a directory durable, and those that they depend on: the directory itself, those above it. */
  sync(directory: DirectoryNode): void;
  /** Makes all changes durable. */
  syncAll(): void;
  /** A power failure: undoes some of the last changes of each directory. */
  loseSome(random: Random): void;
}

const setEntry = (directory: DirectoryNode, name: string, node: Inode | undefined): void => {
  if (node === undefined) directory.entries.delete(name);
  else directory.entries.set(name, node);
};

const touches = (step: Step, directories: ReadonlySet<Inode>): boolean =>
  step.some(({ directory }) => directories.has(directory));

const addDirectories = (step: Step, directories: Set<Inode>): void => {
  for (const { directory } of step) directories.add(directory);
};

const createsOneOf = (step: Step, directories: ReadonlySet<Inode>): boolean =>
  step.some(({ after }) => after !== undefined && directories.has(after));

/** No changes yet. */
export const createEntryChanges = (): EntryChanges => {
  let steps: Step[] = [];
  return {
    add: (step) => {
      steps.push(step);
    },
    sync: (synced) => {
      const directories = new Set<Inode>([synced]);
      const left: Step[] = [];
      for (const step of steps.reverse()) {
        if (touches(step, directories) || createsOneOf(step, directories)) addDirectories(step, directories);
        else left.push(step);
      }
      steps = left.reverse();
    },
    syncAll: () => {
      steps = [];
    },
    loseSome: (random) => {
      const keptProbability = random.pick([0, 0.5, 0.9, 1]);
      const cutOff = new Set<Inode>();
      const lost = steps.filter((step) => {
        if (!touches(step, cutOff) && random.chance(keptProbability)) return false;
        addDirectories(step, cutOff);
        return true;
      });
      for (const step of lost.reverse())
        for (const { directory, name, before } of step) setEntry(directory, name, before);
      steps = [];
    },
  };
};
