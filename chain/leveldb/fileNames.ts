// The numbers in the names of LevelDB's files. A newer file has a higher number.

const LOG = /^(\d+)\.log$/;
const TABLE = /^(\d+)\.(?:ldb|sst)$/;

const toNumber = (match: RegExpExecArray | null): number | undefined => (match === null ? undefined : Number(match[1]));

/** The number of a log; undefined for any other file. */
export const toLogNumber = (name: string): number | undefined => toNumber(LOG.exec(name));

/** The number of a table; undefined for any other file. */
export const toTableNumber = (name: string): number | undefined => toNumber(TABLE.exec(name));
