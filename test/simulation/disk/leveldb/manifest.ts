// LevelDB's MANIFEST: the state of a database's files, as a log of changes.
import { type ByteReader, createByteReader, DamagedBytes } from '../../../../chain/leveldb/byteReader.ts';
import { readRecords } from './logReader.ts';
import { encodeVarints } from './varint.ts';

const COMPARATOR = 'leveldb.BytewiseComparator';
const TAG = { comparator: 1, logNumber: 2, nextFile: 3, lastSequence: 4, newFile: 7, previousLog: 9 } as const;

/** A table as a MANIFEST names it. */
export interface TableFile {
  readonly number: number;
  /** In bytes. */
  readonly size: number;
  /** Keys with their sequence numbers. */
  readonly smallest: Buffer;
  readonly largest: Buffer;
}

/** What a MANIFEST states. */
export interface ManifestState {
  /** Number of the first log that is replayed. */
  readonly logNumber: number;
  /** Number of the next new file. */
  readonly nextFile: number;
  readonly lastSequence: number;
  /** The tables, the oldest first. In a change: those that it adds. */
  readonly tables: readonly TableFile[];
}

/** A database that LevelDB refuses to open; the message is its text. */
export class Corruption extends Error {}

/** The change that names LevelDB's order of keys: the first of each MANIFEST. */
export const encodeComparator = (): Buffer =>
  Buffer.concat([encodeVarints([TAG.comparator, COMPARATOR.length]), Buffer.from(COMPARATOR)]);

// All tables are of level 0, whose tables may have common keys.
const encodeNewFile = ({ number, size, smallest, largest }: TableFile): Buffer =>
  Buffer.concat([
    ...[encodeVarints([TAG.newFile, 0, number, size, smallest.length]), smallest],
    ...[encodeVarints([largest.length]), largest],
  ]);

/** A change to a state; `isNew`: the one that a new database begins with. */
export const encodeState = ({ logNumber, nextFile, lastSequence, tables }: ManifestState, isNew: boolean): Buffer => {
  const previousLog = isNew ? [] : [TAG.previousLog, 0];
  const numbers = encodeVarints([
    ...[TAG.logNumber, logNumber, ...previousLog],
    ...[TAG.nextFile, nextFile, TAG.lastSequence, lastSequence],
  ]);
  return Buffer.concat([numbers, ...tables.map(encodeNewFile)]);
};

const readNewFile = (reader: ByteReader): TableFile => {
  const [, number, size] = [reader.varint(), reader.varint(), reader.varint()];
  return { number, size, smallest: reader.take(reader.varint()), largest: reader.take(reader.varint()) };
};

const NUMBERS: readonly number[] = [TAG.logNumber, TAG.nextFile, TAG.lastSequence, TAG.previousLog];

const readEdit = (record: Buffer, state: Map<number, number>, tables: TableFile[]): void => {
  const reader = createByteReader(record, 0);
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    if (tag === TAG.comparator) reader.take(reader.varint());
    else if (tag === TAG.newFile) tables.push(readNewFile(reader));
    else if (NUMBERS.includes(tag)) state.set(tag, reader.varint());
    else throw new DamagedBytes(0, `a simulated database has no change of kind ${tag}`);
  }
};

/** The state that a MANIFEST leads to. @throws Corruption as LevelDB does. */
export const readManifest = (file: Buffer): ManifestState => {
  const state = new Map<number, number>();
  const tables: TableFile[] = [];
  const fail = (reason: string): never => {
    throw new Corruption(reason);
  };
  for (const record of readRecords(file, fail)) readEdit(record, state, tables);
  const require = (tag: number, name: string): number => state.get(tag) ?? fail(`no ${name} entry in descriptor`);
  return {
    nextFile: require(TAG.nextFile, 'meta-nextfile'),
    logNumber: require(TAG.logNumber, 'meta-lognumber'),
    lastSequence: require(TAG.lastSequence, 'last-sequence-number'),
    tables,
  };
};
