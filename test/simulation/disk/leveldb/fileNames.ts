// The names of LevelDB's files.

const DIGITS = 6;
const PATTERN = /^(?:MANIFEST-(\d+)|(\d+)\.(log|ldb|sst|dbtmp))$/;

const pad = (number: number): string => String(number).padStart(DIGITS, '0');

export const toLogName = (number: number): string => `${pad(number)}.log`;
export const toTableName = (number: number): string => `${pad(number)}.ldb`;
export const toTemporaryName = (number: number): string => `${pad(number)}.dbtmp`;
export const toManifestName = (number: number): string => `MANIFEST-${pad(number)}`;

/** A numbered file of a database. */
export interface NumberedFile {
  readonly name: string;
  readonly number: number;
  readonly kind: 'manifest' | 'log' | 'table' | 'temporary';
}

const KINDS: Readonly<Record<string, NumberedFile['kind']>> = {
  log: 'log',
  ldb: 'table',
  sst: 'table',
  dbtmp: 'temporary',
};

const parse = (name: string): NumberedFile[] => {
  const [, manifest, number, extension = ''] = PATTERN.exec(name) ?? [];
  if (manifest !== undefined) return [{ name, number: Number(manifest), kind: 'manifest' }];
  return number === undefined ? [] : [{ name, number: Number(number), kind: KINDS[extension]! }];
};

/** The numbered files among the names of a directory. */
export const findNumberedFiles = (names: readonly string[]): NumberedFile[] => names.flatMap(parse);
