// Writes a table of a simulated database.
import { toTableName } from './fileNames.ts';
import type { TableFile } from './manifest.ts';
import { type DatabasePlace, removeOnFailure, type Steps } from './steps.ts';
import { encodeTable, type TableEntry } from './table.ts';

/** A table that is written. */
export interface NewTable {
  readonly number: number;
  /** At least one, sorted by key, each key once. */
  readonly entries: readonly TableEntry[];
  /** Sequence number of all entries. */
  readonly sequence: number;
  /** The least and the most milliseconds that it takes. */
  readonly delayMs?: readonly [number, number];
}

/** Writes a table and syncs it. Removes it when that fails. */
export const writeTable = async (
  { disk, directory }: DatabasePlace,
  steps: Steps,
  { number, entries, sequence, delayMs }: NewTable,
): Promise<TableFile> => {
  const name = toTableName(number);
  const { bytes, smallest, largest } = encodeTable(entries, sequence);
  await removeOnFailure({ disk, directory }, name, async () => {
    const file = await steps.write(name, (created) => disk.append(created, bytes), delayMs);
    await steps.sync(name, file);
    disk.close(file);
  });
  return { number, size: bytes.length, smallest, largest };
};
