// The numbers in the names of LevelDB's files. A newer file has a higher number.

const MANIFEST = /^MANIFEST-\d+$/;
const LOG = /^(\d+)\.log$/;
const TABLE = /^(\d+)\.(?:ldb|sst)$/;

const toNumber = (match: RegExpExecArray | null): number | undefined => (match === null ? undefined : Number(match[1]));

/** The name in the file CURRENT, if that is the name of a MANIFEST; a power failure can leave the file empty. */
export const toManifestName = (current: string): string | undefined => {
  const name = current.trim();
  return MANIFEST.test(name) ? name : undefined;
};

/** The number of a log; undefined for any other file. */
export const toLogNumber = (name: string): number | undefined => toNumber(LOG.exec(name));

/** The number of a table; undefined for any other file. */
export const toTableNumber = (name: string): number | undefined => toNumber(TABLE.exec(name));
