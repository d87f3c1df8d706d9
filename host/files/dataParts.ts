// What a data directory contains, and what a backup does with each part.

/** How a backup gets a part. `database`: from the process that has it open. */
export type Copying = 'database' | 'folder' | 'file' | 'none';

/** A part of a data directory. */
export interface DataPart {
  /** Its name in the directory. */
  readonly name: string;
  readonly copying: Copying;
  /** The only folder of it that is copied. */
  readonly only?: string;
  /** Whether a restore makes it: by a copy, or by building it from the chain. */
  readonly isRestored: boolean;
}

const copied = (name: string, copying: Exclude<Copying, 'none'>, only?: string): DataPart => ({
  name,
  copying,
  isRestored: true,
  ...(only !== undefined && { only }),
});
const derived = (name: string): DataPart => ({ name, copying: 'none', isRestored: true });
const local = (name: string): DataPart => ({ name, copying: 'none', isRestored: false });

/**
 * All parts. The chain, or the file of its network, comes last of those that are restored: it makes a directory a
 * ledger.
 */
export const DATA_PARTS: readonly DataPart[] = [
  copied('keys', 'folder'),
  copied('blobs', 'folder', 'content'),
  copied('outbox', 'database'),
  copied('log', 'database'),
  // Nothing else has these records.
  copied('gone', 'folder'),
  derived('index'),
  derived('recent-blocks'),
  // It has the issuer of a ledger that continues another one.
  copied('ledger.json', 'file'),
  // Records later than the clock are refused without it.
  copied('clock.json', 'file'),
  copied('chain', 'database'),
  copied('network.json', 'database'),
  // A server that is restored beside others has another name.
  local('server-name'),
  // The first start reads it from the network, and compares it with the log.
  local('final.json'),
  // Of tasks in progress, and of the process.
  ...['restoring', 'chain.repaired', 'repairing.json', 'lock', 'control', 'demo'].map(local),
];

/** The path of what is copied of a part, relative to the data directory. */
export const toCopiedPath = ({ name, only }: DataPart): string => (only === undefined ? name : `${name}/${only}`);

/** The copied paths of the parts that a backup gets in one of these ways. */
export const toCopiedPaths = (...ways: readonly Copying[]): string[] =>
  DATA_PARTS.filter(({ copying }) => ways.includes(copying)).map(toCopiedPath);
