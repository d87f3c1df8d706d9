// A snapshot of an index in which tenants have counts of members and nothing else, and which counts its reads.
import * as keys from '../../indexer/keys.ts';
import type { Snapshot } from '../../indexer/snapshots.ts';

export interface EmptySnapshot extends Snapshot {
  /** How often more than a single row was asked for. */
  countReads(): number;
}

/** Opens it, with a generation of its own. */
export const openEmptySnapshot = (
  tenantKey: Uint8Array,
  counts: Readonly<Partial<Record<keys.Collection, number>>> = {},
): EmptySnapshot => {
  const rows = new Map(
    Object.entries(counts).map(([collection, count]) => [
      keys.counterKey(tenantKey, collection as keys.Collection).toString('hex'),
      count,
    ]),
  );
  let reads = 0;
  const readNone = async (): Promise<[]> => {
    reads += 1;
    return [];
  };
  return {
    generation: {},
    read: (key) => rows.get(key.toString('hex')),
    readMany: async (asked) => {
      reads += 1;
      return asked.map(() => undefined);
    },
    readLong: async (asked) => {
      reads += 1;
      return asked.map(() => () => undefined);
    },
    readFirst: readNone,
    readLast: readNone,
    close: () => Promise.resolve(),
    countReads: () => reads,
  };
};
